"""Approaches of one or several runs against each other, on the instances that both answered."""
