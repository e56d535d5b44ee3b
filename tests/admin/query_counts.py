"""Queries of each admin page, the same for few rows and for many. A change here is reviewed.

Each page starts with two: the visitor's login session and the visitor. A list then counts and
reads; a date hierarchy adds two, a filter over stored values one. A page of one row adds one per
link to another record.
"""

LISTS = {
    "plans.Plan": 6,
    "plans.Week": 4,
    "plans.Action": 4,
    "plans.ActionEdit": 6,
    "plans.Requirement": 4,
    "plans.Completion": 8,
    "plans.Reopening": 6,
    "plans.Erasure": 4,
    "plans.FollowUp": 4,
    "plans.Proof": 4,
    "plans.DailyUse": 6,
    "plans.HeldTap": 4,
    "plans.Allowance": 4,
    "plans.ModelSwitch": 4,
    "plans.PlanDraft": 4,
    "judge.CheckRun": 8,
    "judge.Appeal": 7,  # and how many wait
    "judge.AppealFrame": 4,
    "judge.RowDecision": 6,
    "copilot_sessions.CopilotSession": 6,
    "copilot_sessions.Turn": 4,
    "copilot_sessions.Picture": 4,
    "copilot_sessions.MemorySummary": 4,
    "copilot_sessions.ProgressReport": 4,
}
PAGES = {
    "plans.Plan": 6,
    "plans.Week": 5,
    "plans.Action": 6,
    "plans.ActionEdit": 5,
    "plans.Requirement": 4,
    "plans.Completion": 7,
    "plans.Reopening": 5,
    "plans.Erasure": 5,
    "plans.FollowUp": 5,
    "plans.Proof": 4,
    "plans.DailyUse": 4,
    "plans.HeldTap": 5,
    "plans.Allowance": 5,
    "plans.ModelSwitch": 4,
    "plans.PlanDraft": 5,
    "judge.CheckRun": 5,
    "judge.Appeal": 8,  # and its decisions and pictures
    "judge.AppealFrame": 6,
    "judge.RowDecision": 6,
    "copilot_sessions.CopilotSession": 6,
    "copilot_sessions.Turn": 5,
    "copilot_sessions.Picture": 6,
    "copilot_sessions.MemorySummary": 5,
    "copilot_sessions.ProgressReport": 4,
}
HEALTH = 8  # and one for each kind of figure
