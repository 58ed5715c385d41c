package dev.flowstone.bench.torture.check;

import static java.util.Objects.requireNonNull;

/**
 * A line of the receiver's ledger: an attempt that reached it.
 *
 * @param millis of the receiver's clock, since the epoch
 * @param key by which it drops repetitions
 * @param applied whether it did something, and not just found that it had
 */
public record Effect(long millis, String key, String run, String activation, int attempt, boolean applied) {
    private static final int WORDS = 6;

    public Effect {
        requireNonNull(key);
        requireNonNull(run);
        requireNonNull(activation);
    }

    /**
     * As it is written: six words, the last {@code applied} or {@code repeated}.
     *
     * @throws IllegalArgumentException if it is no such line
     */
    public static Effect parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException("no line of the receiver's: " + line);
        }
        return new Effect(
                Long.parseLong(words[0]),
                words[1],
                words[2],
                words[3],
                Integer.parseInt(words[4]),
                words[5].equals("applied"));
    }
}
