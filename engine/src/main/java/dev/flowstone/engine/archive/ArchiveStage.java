package dev.flowstone.engine.archive;

/** What an archive does right now; all of it takes long where much has happened. */
public enum ArchiveStage {
    WRITING,
    VERIFYING,
    REPLACING;

    /** Is told how far it is. */
    @FunctionalInterface
    public interface Listener {
        Listener NONE = (stage, runs, of) -> {};

        /**
         * Now and then.
         *
         * @param runs that it has done
         * @param of so many
         */
        void at(ArchiveStage stage, long runs, long of);
    }
}
