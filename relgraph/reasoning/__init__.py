"""Rules that a clinician can read, and proofs that a reviewer can check."""
