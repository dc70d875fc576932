"""For gdb: iterations of Drake's SAP in every ten steps of piles-drake.py, counted by the calls of its search direction."""
import gdb

SOLVER = "drake::multibody::contact_solvers::internal::SapSolver<double>::"
counts = []


class Calls(gdb.Breakpoint):
    """Counts the calls of a function; gdb may stop at two places of each."""

    def __init__(self, name, take):
        super().__init__(f"'{SOLVER}{name}'")
        self.take = take
        self.place = None

    def stop(self):
        place = gdb.selected_frame().pc()
        self.place = self.place or place
        if place == self.place:
            self.take()
        return False


def take_direction():
    counts[-1] += 1


gdb.execute("set breakpoint pending on")
Calls("SolveWithGuess", lambda: counts.append(0))
Calls("CalcSearchDirectionData", take_direction)
gdb.execute("run")
for first in range(0, len(counts), 10):
    part = counts[first : first + 10]
    print(f"steps {first} to {first + len(part)}: {sum(part) / len(part):.1f} iterations, {max(part)} at most")
