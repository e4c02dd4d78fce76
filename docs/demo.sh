#!/bin/sh
# The main job on the shipped corpus: read, reason, train across folds, ask the embedded LLM, score.
# Usage: sh docs/demo.sh [path of the relgraph command]
set -eu
relgraph=${1:-relgraph}
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

say "1. The shipped corpus: 32 conversations written for this project (see relgraph/corpora/sample/README.md)"
"$relgraph" data stats sample

say "2. What the rules conclude of one conversation after turn 17, with proofs that are checked anew"
"$relgraph" explain sample --conversation winsome_and_clifton/01_the_savings_book \
    --turn 17 --task rpp --verify

say "3. Six tasks: floors, rules, text alone, the graph network, cross-validated by relationship"
"$relgraph" eval --data sample --task all --folds 5 --run runs/demo-trained \
    --approach majority --approach last-speaker --approach rules --approach rules+weights \
    --approach text-head --approach gnn

say "4. The embedded LLM without and with the graph summary: 4 instances a task from 2 conversations"
echo "   It reads the last 400 tokens of talk, to be quick; without --context-tokens it reads up to 3000."
echo "   SmolLM2-135M shows that the road works. It is too weak for its scores to mean anything."
"$relgraph" eval --data sample --task all --limit 4 --conversations 2 --context-tokens 400 \
    --run runs/demo-llm \
    --approach majority --approach last-speaker --approach llm --approach llm+graph

say "Done. Scores on invented conversations prove nothing about people."
cat <<'TEXT'
What to run next:
  source .venv/bin/activate
  relgraph data validate YOUR_FILE                     # every defect, with file and line
  relgraph graph sample --conversation nino_and_levan/02_the_oil --measures
  relgraph explain YOUR_FILE --conversation ID --verify   # proofs, down to the words
  relgraph train-gnn --data YOUR_FILE
  relgraph eval --approach llm+graph --data YOUR_FILE --limit 20
  relgraph eval --approach gnn --approach llm+graph --model openai:NAME --base-url URL --data YOUR_FILE
  make test
TEXT
