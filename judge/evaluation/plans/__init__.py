"""Measuring the review of plans: labelled cases, attacks on them, figures."""
