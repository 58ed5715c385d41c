package dev.flowstone.server.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;

/** Lines of a stream, one at a time; of one that is too long nothing is kept. */
final class BoundedLines {
    private final BufferedReader in;
    private final int longest;
    private final StringBuilder line = new StringBuilder();
    private boolean tooLong;

    BoundedLines(Reader in, int longest) {
        this.in = new BufferedReader(in);
        this.longest = longest;
    }

    /** Reads the next line; false if there is none. A last line without an end is one if it isn't empty. */
    boolean next() throws IOException {
        line.setLength(0);
        tooLong = false;
        int character = in.read();
        if (character < 0) {
            return false;
        }
        while (character >= 0 && character != '\n') {
            if (line.length() < longest) {
                line.append((char) character);
            } else {
                tooLong = true;
            }
            character = in.read();
        }
        return true;
    }

    boolean isTooLong() {
        return tooLong;
    }

    /** Without its end. */
    String line() {
        int length = line.length();
        return length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line.toString();
    }
}
