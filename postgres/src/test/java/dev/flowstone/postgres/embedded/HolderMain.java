package dev.flowstone.postgres.embedded;

import java.nio.file.Path;

/** A process that holds a data directory until it is killed or its input ends: prints the server's process and port. */
final class HolderMain {
    private HolderMain() {}

    public static void main(String[] args) throws Exception {
        EmbeddedConfig config =
                EmbeddedConfig.in(Path.of(args[0])).withCache(Path.of(args[1])).withSharedBuffers(16);
        try (EmbeddedPostgres server = EmbeddedPostgres.start(config)) {
            System.out.println("ready " + server.processId() + " " + server.port());
            System.out.flush();
            if (System.in.read() >= 0) {
                return;
            }
        } catch (EmbeddedPostgresException e) {
            System.out.println("failed " + e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }
}
