"""Instructions that several tests use."""

FIGURE = """\
while more iron than gold
    mine iron
endwhile
if more merchants than iron
    inspect iron
    sell gold
else
    mine wood
endif"""
