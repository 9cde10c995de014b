"""The newest wish wins; what cannot be fulfilled leaves everything as it was."""

import threading

import numpy as np
import pytest

from attnviewer.compute import HeadLocation
from attnviewer.document import SetCells
from attnviewer.models import Model, load
from attnviewer.models.layer_documents import attention_document, link_of
from attnviewer.ui.state.model.jobs import Phase
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.work import worker
from attnviewer.ui.work.worker import NO_MEMORY
from tests.documents import four_words
from tests.ui.gates import gated


class Heard:
    """What an open model has told."""

    def __init__(self, model) -> None:
        self.looks, self.refused, self.sentences = [], [], []
        self.cancelled = self.interrupted = 0
        model.layer_computed.connect(self.looks.append)
        model.refused.connect(self.refused.append)
        model.sentence_refused.connect(self._on_sentence)
        model.cancelled.connect(self._on_cancelled)
        model.interrupted.connect(self._on_interrupted)

    def _on_sentence(self, reason, sentence):
        self.sentences.append((sentence, reason))

    def _on_cancelled(self):
        self.cancelled += 1

    def _on_interrupted(self):
        self.interrupted += 1


@pytest.fixture
def heard(model):
    return Heard(model)


@pytest.fixture
def opened(model, heard, gpt2, qtbot):
    with qtbot.waitSignal(model.completed):
        model.open(gpt2)
    heard.looks.clear()
    return model


def state(model):
    return model.experiment, model.text, model.other, model.location, model.heads


def zeroed(model, layer, head):
    """Return a head's document whose W_O is all zeros."""
    document = attention_document(model.experiment.run, layer, head)
    rows = document.matrix("W_O").shape[0]
    document.apply(SetCells("Zero", "W_O", 0, 0, np.zeros((rows, 32))))
    return document


def test_a_model_is_opened_at_its_first_layer_and_completed(model, heard, gpt2, qtbot):
    assert (model.experiment, model.heads, model.location) == (
        None,
        None,
        ModelLocation(0),
    )
    with qtbot.waitSignal(model.completed):
        model.open(gpt2)
    (job,) = heard.looks
    assert link_of(job.document).name == "L0"
    assert model.text.startswith("0 1 2 ")
    assert model.experiment.run.ids == tuple(range(16))
    assert model.heads.layers == (0, 1, 2, 3)
    assert heard.refused == []


def test_a_model_can_be_opened_anywhere_over_any_sentence(model, gpt2, qtbot):
    with qtbot.waitSignal(model.changed):
        model.open(gpt2, "7 8 9", ModelLocation(2, 3))
    assert model.experiment.run.ids == (7, 8, 9)
    assert model.location == ModelLocation(2, 3)


def test_of_many_layers_the_last_is_looked_at(opened, heard, gate, qtbot):
    gate.clear()
    for layer in (1, 2, 3):
        opened.show(ModelLocation(layer))
        assert opened.requested == ModelLocation(layer)
        assert opened.location == ModelLocation(0)
    gate.set()
    qtbot.waitUntil(lambda: heard.looks != [])
    opened.worker.finish()
    assert [link_of(job.document).name for job in heard.looks] == ["L3"]
    assert opened.location == ModelLocation(3)


def test_a_sentence_that_is_typed_while_the_model_is_opened_is_its_first(
    model, heard, gpt2, gate, qtbot
):
    gate.clear()
    model.open(gpt2)
    assert model.wished_text is None
    model.set_text("4 5")
    assert model.wished_text == "4 5"
    model.show(ModelLocation(1))
    gate.set()
    qtbot.waitUntil(lambda: heard.looks != [])
    assert len(heard.looks) == 1
    assert (model.text, model.location) == ("4 5", ModelLocation(1))


def test_a_layer_and_a_sentence_that_come_together_are_both_had(
    opened, heard, gate, qtbot
):
    gate.clear()
    opened.set_text("4 5")
    opened.show(ModelLocation(2, 1))
    gate.set()
    qtbot.waitUntil(lambda: heard.looks != [])
    assert (opened.text, opened.location) == ("4 5", ModelLocation(2, 1))
    assert len(heard.looks[-1].document.tokens) == 2


def test_the_model_that_is_opened_last_is_the_open_one(
    opened, heard, gpt2, llama, gate, qtbot
):
    gate.clear()
    opened.open(gpt2)
    opened.open(llama)
    gate.set()
    qtbot.waitUntil(lambda: heard.looks != [])
    assert [job.experiment.run.model.name for job in heard.looks] == ["wordy"]
    qtbot.waitUntil(lambda: opened.heads is not None)
    assert opened.heads.layers == (0, 1)


def test_heads_are_there_when_all_layers_are(opened, heard, gate, qtbot):
    gate.clear()
    opened.set_text("4 5")
    assert opened.heads is not None  # of the sentence that is still shown
    gate.set()
    with qtbot.waitSignal(opened.changed):
        pass
    qtbot.waitUntil(lambda: opened.heads is not None)
    assert opened.heads.matrix(HeadLocation(3, 0)).shape == (2, 2)


def test_another_layer_of_the_same_sentence_leaves_the_heads(opened, qtbot):
    heads = opened.heads
    with qtbot.waitSignal(opened.changed):
        opened.show(ModelLocation(1))
    assert opened.heads is heads


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("the cat", "no tokenizer"),
        ("", "at least one token"),
        ("3 99", "from 0 to 47"),
        (" ".join(["1"] * 17), "at most 16"),
    ],
)
def test_a_refused_sentence_is_told_with_its_reason(
    opened, heard, qtbot, sentence, told
):
    before = state(opened)
    with qtbot.waitSignal(opened.sentence_refused):
        opened.set_text(sentence)
    ((refused, reason),) = heard.sentences
    assert refused == sentence
    assert told in reason
    assert heard.refused == heard.looks == []
    assert state(opened) == before
    assert opened.wished_text == opened.text


@pytest.mark.parametrize(
    "location",
    [ModelLocation(4), ModelLocation(-1), ModelLocation(0, 4), ModelLocation(0, -1)],
)
def test_a_place_that_is_not_there_is_refused(opened, heard, qtbot, location):
    before = state(opened)
    with qtbot.waitSignal(opened.refused):
        opened.show(location)
    assert "must be from 0 to 3" in heard.refused[0]
    assert state(opened) == before
    assert opened.requested == ModelLocation(0)


def test_a_model_that_cannot_be_opened_leaves_the_open_one(
    opened, heard, tmp_path, qtbot
):
    before = state(opened)
    with qtbot.waitSignal(opened.refused):
        opened.open(tmp_path / "nothing")
    assert "no such file or folder" in heard.refused[0]
    assert state(opened) == before


def test_weights_that_changed_on_the_disk_are_refused(opened, heard, gpt2, qtbot):
    before = state(opened)
    weights = gpt2 / "model.safetensors"
    weights.write_bytes(weights.read_bytes() + b"\0")
    with qtbot.waitSignal(opened.refused):
        opened.set_text("4 5")
    assert "model.safetensors" in heard.refused[0]
    assert state(opened) == before


def test_a_lack_of_memory_is_told(opened, heard, qtbot, monkeypatch):
    def no_room(*_, **_named):
        raise MemoryError

    before = state(opened)
    monkeypatch.setattr("attnviewer.models.layer_documents.attention_document", no_room)
    with qtbot.waitSignal(opened.refused):
        opened.show(ModelLocation(1))
    assert heard.refused == [NO_MEMORY]
    assert state(opened) == before


def test_a_wish_can_be_given_up(opened, heard, gate, qtbot):
    before = state(opened)
    gate.clear()
    opened.set_text("4 5")
    opened.cancel()
    assert heard.cancelled == 1
    assert opened.wished_text == opened.text
    gate.set()
    opened.worker.finish()
    assert heard.looks == []
    assert state(opened) == before
    opened.cancel()
    assert (heard.cancelled, heard.interrupted) == (1, 0)


def test_the_other_layers_can_be_given_up_and_computed_after_all(
    model, heard, gpt2, gate, qtbot
):
    gate.clear()
    model.open(gpt2)
    gate.set()
    with qtbot.waitSignal(model.changed):
        pass
    model.cancel()
    assert (heard.cancelled, heard.interrupted) == (0, 1)
    model.worker.finish()
    assert model.heads is None
    with qtbot.waitSignal(model.completed):
        model.complete()
    assert model.heads is not None
    model.complete()
    assert model.worker.jobs == []


@pytest.mark.parametrize("end", ["refused", "cancelled", "given up"])
def test_what_a_wish_has_interrupted_goes_on_after_it(
    model, heard, gpt2, gate, qtbot, end
):
    with qtbot.waitSignal(model.changed):
        model.open(gpt2)
    gate.clear()
    model.set_text("no ids" if end == "refused" else "4 5")
    assert model.heads is None
    if end == "cancelled":
        model.cancel()
    elif end == "given up":
        model.give_up()
    with qtbot.waitSignal(model.completed):
        gate.set()
    assert heard.cancelled == int(end == "cancelled")
    assert len(heard.sentences) == int(end == "refused")
    assert model.experiment.run.ids == tuple(range(16))


def test_closing_waits_for_the_worker_and_tells_nothing(opened, heard, gate, qtbot):
    gate.clear()
    opened.show(ModelLocation(3))
    gate.set()
    opened.close()
    assert heard.looks == heard.refused == []
    assert opened.worker.jobs == []


def test_what_is_put_back_changes_the_layers_after_it(opened, heard, qtbot):
    own = opened.experiment.run
    with qtbot.waitSignal(opened.completed):
        opened.put_back(zeroed(opened, 1, 2))
    (job,) = heard.looks
    assert job.document is None  # the open one stays
    assert link_of(job.compared).run is own
    run = opened.experiment.run
    assert opened.location == ModelLocation(1, 2)
    np.testing.assert_array_equal(run.hidden_states[1], own.hidden_states[1])
    assert not np.allclose(run.hidden_states[2], own.hidden_states[2])
    rows = run.weights(1)["W_O"]
    assert not rows[16:24].any()
    assert rows[:16].all()


def test_a_head_put_back_again_takes_its_own_place(opened, qtbot):
    for layer, head in ((1, 2), (2, 0), (1, 2)):
        with qtbot.waitSignal(opened.completed):
            opened.put_back(zeroed(opened, layer, head))
    patches = opened.experiment.patches
    assert [(patch.layer, patch.head) for patch in patches] == [(2, 0), (1, 2)]
    with qtbot.waitSignal(opened.completed):
        opened.take_out()
    assert opened.experiment.patches == ()
    assert opened.experiment.run.changes == {}


def test_two_heads_put_back_at_once_are_both_put(opened, gate, qtbot):
    documents = [zeroed(opened, 1, head) for head in (0, 1)]
    gate.clear()
    for document in documents:
        opened.put_back(document)
    with qtbot.waitSignal(opened.completed):
        gate.set()
    assert [patch.head for patch in opened.experiment.patches] == [0, 1]


def test_weights_stay_in_place_for_another_sentence(opened, qtbot):
    with qtbot.waitSignal(opened.completed):
        opened.put_back(zeroed(opened, 1, 2))
    with qtbot.waitSignal(opened.completed):
        opened.set_text("4 5")
    assert not opened.experiment.run.weights(1)["W_O"][16:24].any()


def test_what_is_from_elsewhere_is_not_put_back(opened, llama, qtbot):
    old = zeroed(opened, 1, 2)
    with qtbot.waitSignal(opened.completed):
        opened.open(llama)
    for document in (four_words(), old):
        with pytest.raises(ValueError, match="from the open model"):
            opened.put_back(document)
        assert opened.link_of(document) is None


def test_putting_back_gives_up_opening_another_model(opened, heard, llama, gate, qtbot):
    gate.clear()
    opened.open(llama)
    opened.put_back(zeroed(opened, 1, 2))
    gate.set()
    qtbot.waitUntil(lambda: heard.looks != [])
    assert opened.experiment.run.model.name == "little"
    assert len(opened.experiment.patches) == 1


def test_another_sentence_is_compared_with(opened, heard, qtbot):
    with qtbot.waitSignal(opened.changed):
        opened.compare("4 5")
    assert opened.other == "4 5"
    assert heard.looks[-1].compared.tokens == ("#4", "#5")
    with qtbot.waitSignal(opened.sentence_refused):
        opened.compare("the cat")
    assert opened.other == "4 5"
    assert heard.sentences[0][0] == "the cat"
    with qtbot.waitSignal(opened.changed):
        opened.compare("")
    assert heard.looks[-1].compared is None


def test_another_checkpoint_read_while_a_layer_is_on_its_way_is_compared_there(
    opened, heard, gpt2, gate, qtbot
):
    gate.clear()
    opened.show(ModelLocation(3))
    opened.compare_checkpoint(load(gpt2), stays=True)
    with qtbot.waitSignal(opened.changed):
        gate.set()
    (look,) = heard.looks
    assert look.document is not None  # it replaces the one that would have stayed
    assert link_of(look.document).layer == link_of(look.compared).layer == 3
    with qtbot.waitSignal(opened.changed):
        opened.compare_checkpoint(None, stays=True)
    assert heard.looks[-1].document is None


def test_layers_too_large_are_looked_at_head_by_head(opened, heard, qtbot, monkeypatch):
    monkeypatch.setattr("attnviewer.models.layer_documents.MOST_WEIGHTS", 4095)
    with qtbot.waitSignal(opened.changed):
        opened.show(ModelLocation(2))
    assert link_of(heard.looks[-1].document).name == "L2 H0"
    assert opened.location == ModelLocation(2, 0)
    with qtbot.waitSignal(opened.changed):
        opened.show(ModelLocation(1, 3))
    assert opened.location == ModelLocation(1, 3)


def test_the_place_follows_a_document_that_is_open_again(opened, qtbot):
    document = attention_document(opened.experiment.run, 2, 3)
    with qtbot.waitSignal(opened.changed):
        opened.follow(document)
    assert opened.location == ModelLocation(2, 3)
    with qtbot.assertNotEmitted(opened.changed):
        opened.follow(document)
        opened.follow(four_words())
    assert opened.location == ModelLocation(2, 3)


@pytest.fixture
def texts_gate(monkeypatch):
    """Hold the worker before it splits a sentence while it is cleared."""
    with gated(monkeypatch, Model, "run") as open_:
        yield open_


@pytest.fixture
def news(model, monkeypatch):
    """What is told of work that takes long, at every tick from its start."""
    monkeypatch.setattr(worker, "PATIENCE", 0)
    told = []
    model.worker.progressed.connect(lambda job: told.append(model.progress(job)))
    return told


def test_work_that_takes_long_says_what_it_does(
    model, gpt2, gate, texts_gate, news, qtbot
):
    def heard(text):
        qtbot.waitUntil(lambda: text in news)
        news.clear()

    def is_done():
        gate.set()
        texts_gate.set()
        qtbot.waitUntil(lambda: not model.computing)
        news.clear()

    for gate_ in (texts_gate, gate):
        gate_.clear()
    model.open(gpt2)
    heard("splitting the sentence into tokens…")
    texts_gate.set()
    heard("computing layer 0…")
    is_done()

    texts_gate.clear()
    model.set_text("4 5")
    heard("splitting the sentence into tokens…")
    is_done()

    gate.clear()
    model.put_back(zeroed(model, 1, 2))
    heard("computing layer 0…")
    is_done()

    for gate_ in (texts_gate, gate):
        gate_.clear()
    model.compare("6 7 8")
    heard("splitting the sentence into tokens…")
    texts_gate.set()
    heard("computing layer 0…")
    is_done()

    gate.clear()
    model.show(ModelLocation(3))
    heard("computing layer 0…")
    is_done()


class Busy:
    """A job that keeps the thread until it is let go."""

    def __init__(self):
        self.stopped = False
        self._running, self.let_go = threading.Event(), threading.Event()

    def run(self):
        self._running.set()
        assert self.let_go.wait(20)

    def keep(self, worker):
        """Have the thread, and be given up, so that the worker tells of others."""
        worker.start(self)
        assert self._running.wait(20)
        worker.stop(self)


def test_work_that_waits_says_what_it_will_do_first(model, gpt2, news, qtbot):
    model.open(gpt2)
    qtbot.waitUntil(lambda: not model.computing)
    document = zeroed(model, 1, 2)
    for request, told in [
        (lambda: model.show(ModelLocation(3)), "computing layer 3…"),
        (lambda: model.compare("6 7 8"), "splitting the sentence into tokens…"),
        (lambda: model.put_back(document), "putting the weights in place…"),
        (model.take_out, "restoring the model's own weights…"),
        (lambda: model.set_text("9 10 11"), "splitting the sentence into tokens…"),
        (lambda: model.open(gpt2), "opening “little”…"),
    ]:
        busy = Busy()
        busy.keep(model.worker)
        request()
        news.clear()
        qtbot.waitUntil(lambda: news != [])
        assert set(news) == {told}
        busy.let_go.set()
        qtbot.waitUntil(lambda: not model.computing)


def test_weights_put_in_place_of_another_sentence_are_computed_layer_by_layer(
    opened, heard, gate, qtbot
):
    with qtbot.waitSignal(opened.completed):
        opened.put_back(zeroed(opened, 3, 2))
    heard.looks.clear()
    gate.clear()
    opened.set_text("4 5 6")
    (job,) = opened.worker.jobs
    qtbot.waitUntil(lambda: job.phase is Phase.COMPUTING)
    assert opened.progress(job) == "computing layer 0…"
    opened.cancel()
    gate.set()
    opened.worker.finish()
    assert heard.looks == []
    assert len(job.experiment.run._streams) <= 1
