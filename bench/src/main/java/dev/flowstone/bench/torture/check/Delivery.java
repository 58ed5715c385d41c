package dev.flowstone.bench.torture.check;

import static java.util.Objects.requireNonNull;

/**
 * A line of the ledger of whoever webhooks go to: a message that arrived.
 *
 * @param millis of the receiver's clock, since the epoch
 * @param id its {@code webhook-id}, {@code RUN:EVENT:NUMBER}
 * @param name what it says, by which its run was started
 * @param genuine whether it was signed as it should be
 * @param taken whether the receiver took it, and didn't ask for it again later
 */
public record Delivery(long millis, String id, String name, boolean genuine, boolean taken) {
    private static final int WORDS = 5;

    public Delivery {
        requireNonNull(id);
        requireNonNull(name);
    }

    /**
     * As it is written: five words.
     *
     * @throws IllegalArgumentException if it is no such line
     */
    public static Delivery parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException("no line of the receiver's: " + line);
        }
        return new Delivery(
                Long.parseLong(words[0]), words[1], words[2], words[3].equals("genuine"), words[4].equals("taken"));
    }

    /** The run that sent it. */
    String run() {
        return id.substring(0, Math.max(0, id.indexOf(':')));
    }
}
