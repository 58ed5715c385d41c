package dev.flowstone.kernel.id;

/** One of 4096 fixed places that runs are routed to; a shard is a range of slots. */
public record Slot(int number) {
    public static final int COUNT = 4096;

    public Slot {
        if (number < 0 || number >= COUNT) {
            throw new IllegalArgumentException("slots go from 0 to " + (COUNT - 1) + ", not " + number);
        }
    }
}
