"""How a plan comes to be: brief, proposal, review, repair, the student's edits, acceptance."""
