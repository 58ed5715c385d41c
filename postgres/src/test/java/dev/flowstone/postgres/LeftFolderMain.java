package dev.flowstone.postgres;

import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.testkit.junit.TempDirsInMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Says its folder and the process of its server there; ends as it should when its input does. */
final class LeftFolderMain {
    private LeftFolderMain() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = TempDirsInMemory.directory("left-");
        try (EmbeddedPostgres server = EmbeddedPostgres.start(
                new EmbeddedConfig(folder, Optional.empty(), 16, 256, 20, Duration.ofMinutes(1)))) {
            System.out.println(folder + " " + server.processId());
            while (System.in.read() >= 0) {
                // until somebody closes it
            }
        }
        TestFiles.delete(folder);
    }
}
