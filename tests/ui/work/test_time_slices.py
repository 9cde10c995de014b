"""Long work runs in time slices, and always makes progress."""

from attnviewer.ui.work.time_slices import run_for


def counted(bits):
    done = []

    def go_on():
        done.append(len(done))
        return len(done) < bits

    return done, go_on


def test_a_bit_is_done_even_without_time():
    done, go_on = counted(3)
    assert run_for(0.0, go_on)
    assert len(done) == 1


def test_with_time_enough_all_is_done():
    done, go_on = counted(3)
    assert not run_for(float("inf"), go_on)
    assert len(done) == 3
