package dev.flowstone.sdk.client;

/** What could not be taken up. Each throws {@link RefusedException} with {@code DEAD_LETTER_NOT_FOUND} if there is no such letter. */
public interface DeadLetters {
    Listing<DeadLetter> list(DeadLetterFilter filter);

    DeadLetterStory get(String id);

    /** It is tried again at once; the comment is kept with that. */
    void requeue(String id, String comment);

    /** It is removed; the comment is kept. */
    void discard(String id, String comment);

    /**
     * Those that are meant are tried again, so many at most. Isn't repeated by itself where it may have been done, since that would try
     * others, too.
     *
     * @param limit 1 to 10,000
     */
    Swept requeueAll(DeadLetterFilter which, int limit, String comment);

    /** The same, removing them. */
    Swept discardAll(DeadLetterFilter which, int limit, String comment);

    /**
     * What a call for many did.
     *
     * @param more whether there may be more of them
     */
    record Swept(int count, boolean more) {}
}
