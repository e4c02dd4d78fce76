"""The interaction-feature model: what it reads, learns and answers (see `docs/interaction.md`)."""
