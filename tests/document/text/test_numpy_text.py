"""Arrays as Python, which Python itself reads back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.document.text.numpy_text import numpy_text


def test_rows_stand_below_each_other():
    values = np.array([[1, 0.1], [-2.5, -np.inf]])
    assert numpy_text(values) == "np.array([[1.0, 0.1],\n          [-2.5, -np.inf]])"
    assert numpy_text(np.array([[True, False]])) == "np.array([[True, False]])"


@given(arrays(float, array_shapes(min_dims=2, max_dims=2), elements=st.floats()))
def test_python_reads_every_number_back_bit_for_bit(values):
    read = eval(numpy_text(values), {"np": np})
    assert read.shape == values.shape
    nan = np.isnan(values)
    assert (np.isnan(read) == nan).all()
    assert read[~nan].tobytes() == values[~nan].tobytes()
