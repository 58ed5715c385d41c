package dev.flowstone.expression;

/** Builds a string, charging every piece before it is added. */
final class MeteredText {
    private final StringBuilder text = new StringBuilder();
    private final Meter meter;

    MeteredText(Meter meter) {
        this.meter = meter;
        meter.text(0);
    }

    MeteredText append(String piece) {
        return append(piece, 0, piece.length());
    }

    MeteredText append(String piece, int from, int to) {
        meter.bytes(2L * (to - from));
        meter.scan(to - from);
        text.append(piece, from, to);
        return this;
    }

    MeteredText append(char piece) {
        meter.bytes(2);
        text.append(piece);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
