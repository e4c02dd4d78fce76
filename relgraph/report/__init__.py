"""Tables and plots of what was evaluated."""
