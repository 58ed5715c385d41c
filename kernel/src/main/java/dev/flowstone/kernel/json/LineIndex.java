package dev.flowstone.kernel.json;

/** The place of every {@value #BLOCK}th byte of a text, counted once, so that any other place is near a known one. */
final class LineIndex {
    private static final int BLOCK = 1_024;

    private final byte[] utf8;
    private final JsonParser.Place[] known;

    LineIndex(byte[] utf8) {
        this.utf8 = utf8;
        this.known = new JsonParser.Place[utf8.length / BLOCK + 1];
        known[0] = new JsonParser.Place(1, 1);
        for (int i = 1; i < known.length; i++) {
            known[i] = JsonInput.place(utf8, known[i - 1], (i - 1) * BLOCK, i * BLOCK);
        }
    }

    JsonParser.Place place(int offset) {
        int block = offset / BLOCK;
        return JsonInput.place(utf8, known[block], block * BLOCK, offset);
    }
}
