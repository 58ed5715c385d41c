package dev.flowstone.engine.shard;

/** A stored run that is not what was once written; it alone is set aside. */
final class CorruptRunException extends Exception {
    private static final long serialVersionUID = 1L;

    CorruptRunException(String reason) {
        super(reason);
    }

    CorruptRunException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
