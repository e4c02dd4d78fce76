"""Asks the prompts of a file through inspect_ai; run by a Python that has it.

python benchmarks/_llm_inspect.py PROMPTS URL CONCURRENCY TIMEOUT_S RETRIES
"""

import json
import sys
import tempfile
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
from inspect_ai.solver import generate

file, url, concurrency, timeout_s, retries = sys.argv[1:]
samples = [
    Sample(id=k, input=[ChatMessageSystem(content=system), ChatMessageUser(content=user)])
    for k, (system, user) in enumerate(json.loads(Path(file).read_text()), start=1)
]
config = GenerateConfig(
    max_connections=int(concurrency),
    attempt_timeout=int(timeout_s),
    max_retries=int(retries),
    max_tokens=160,
    temperature=0,
    seed=0,
)
model = get_model("openai-api/local/m", base_url=url, api_key="none", config=config)
with tempfile.TemporaryDirectory() as folder:
    (log,) = evaluate(
        Task(dataset=samples, solver=generate()),
        model=model,
        # Samples that wait for another try hold no connection, as with us.
        max_samples=2 * int(concurrency),
        log_dir=folder,
        display="none",
        fail_on_error=False,
    )
    answered = sum(bool(s.output and s.output.completion) for s in log.samples or [])
print(json.dumps({"status": log.status, "answered": answered, "of": len(samples)}))
