"""The ledger of a run: what may be spent is never passed, under threads and after a kill."""

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from relgraph.errors import RunError
from relgraph.spending import FILE, Ledger, ledger, recorded


def test_what_a_call_did_cost_stands_in_the_place_of_what_was_reserved() -> None:
    paid = Ledger()
    number = paid.reserve(0.5)
    assert (paid.spent_usd, paid.reserved_usd) == (0, 0.5)
    paid.settle(number, 0.25)
    assert (paid.spent_usd, paid.reserved_usd) == (0.25, 0)


def test_a_call_that_could_pass_the_limit_is_refused_and_reserves_nothing() -> None:
    paid = Ledger()
    paid.settle(paid.reserve(0.5, limit_usd=1), 0.5)
    paid.settle(paid.reserve(0.5, limit_usd=1), 0.25)
    with pytest.raises(RunError, match=r"0\.7500 USD are spent.*up to 0\.5000") as refused:
        paid.reserve(0.5, limit_usd=1)
    assert refused.value.exit_code == 1
    assert paid.reserved_usd == 0
    paid.reserve(0.25, limit_usd=1)


def test_a_call_waits_for_those_under_way_before_it_is_refused() -> None:
    paid = Ledger()
    first = paid.reserve(0.75, limit_usd=1)
    numbers: list[int] = []
    thread = threading.Thread(target=lambda: numbers.append(paid.reserve(0.5, limit_usd=1)))
    thread.start()
    thread.join(0.1)
    assert numbers == []
    paid.settle(first, 0.25)
    thread.join(10)
    assert len(numbers) == 1


def test_threads_together_never_have_more_open_than_the_limit_allows() -> None:
    paid, most, refused = Ledger(), [0.0], []

    def work() -> None:
        while True:
            try:
                number = paid.reserve(0.1, limit_usd=3)
            except RunError:
                refused.append(1)
                return
            most.append(paid.spent_usd + paid.reserved_usd)
            time.sleep(0.001)
            paid.settle(number, 0.0625)

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) <= 3
    assert len(refused) == 16
    # 46 calls cost 2.875, and 0.1 more fits; 47 cost 2.9375, and it does not.
    assert paid.spent_usd == 47 * 0.0625


def test_a_resumed_run_counts_what_was_spent_before(tmp_path: Path) -> None:
    with recorded(tmp_path) as paid:
        assert ledger() is paid
        paid.settle(paid.reserve(0.5), 0.25)
    assert ledger() is not paid
    with recorded(tmp_path) as again:
        assert again.spent_usd == 0.25
        again.settle(again.reserve(0.5), 0.5)
    assert Ledger(tmp_path / FILE).spent_usd == 0.75


def test_nothing_is_written_where_nothing_is_spent(tmp_path: Path) -> None:
    with recorded(tmp_path / "run"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_call_that_a_kill_left_open_counts_as_its_highest_cost(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from relgraph.spending import Ledger\n"
        f"paid = Ledger(Path({str(tmp_path / FILE)!r}))\n"
        "paid.settle(paid.reserve(1.0), 0.25); paid.reserve(0.5)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code])
    assert Ledger(tmp_path / FILE).spent_usd == 0.75


def test_a_line_torn_by_a_kill_takes_no_other_with_it(tmp_path: Path) -> None:
    file = tmp_path / FILE
    paid = Ledger(file)
    paid.settle(paid.reserve(1.0), 0.25)
    paid.close()
    with file.open("a") as log:
        log.write('{"call": 1, "most_')
    again = Ledger(file)
    again.settle(again.reserve(1.0), 0.5)
    again.close()
    assert Ledger(file).spent_usd == 0.75
    assert [json.loads(line)["call"] for line in file.read_text().splitlines()[3:]] == [1, 1]


def test_a_call_that_cannot_be_written_down_is_not_begun_and_holds_up_no_other(
    tmp_path: Path,
) -> None:
    paid = Ledger(tmp_path / "folder" / FILE)
    with pytest.raises(FileNotFoundError):
        paid.reserve(0.75, limit_usd=1)
    assert paid.reserved_usd == 0
    (tmp_path / "folder").mkdir()
    paid.settle(paid.reserve(0.75, limit_usd=1), 0.5)
    assert paid.spent_usd == 0.5
    paid.close()


@pytest.mark.parametrize("amount", ["NaN", "-5", "Infinity", '"x"', "1" + "0" * 400])
def test_a_damaged_amount_does_not_lift_the_limit(tmp_path: Path, amount: str) -> None:
    lines = ['{"call": 0, "most_usd": 1.0}', f'{{"call": 0, "cost_usd": {amount}}}']
    (tmp_path / FILE).write_text("\n".join([*lines, ""]))
    paid = Ledger(tmp_path / FILE)
    assert paid.spent_usd == 1.0
    with pytest.raises(RunError, match="--max-cost"):
        paid.reserve(0.5, limit_usd=1.2)


def test_a_line_that_a_full_disk_tore_takes_no_other_with_it(tmp_path: Path) -> None:
    import resource

    file, before = tmp_path / FILE, resource.getrlimit(resource.RLIMIT_FSIZE)
    paid = Ledger(file)
    first = paid.reserve(1.0)
    held = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 10, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            paid.reserve(2.0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, held)
    paid.settle(first, 0.25)
    paid.settle(paid.reserve(2.0), 0.5)
    paid.close()
    assert Ledger(file).spent_usd == 0.75
