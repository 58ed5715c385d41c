package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalFilesTest {
    @TempDir
    Path folder;

    @Test
    void theFilesBetweenTwoCheckpointsAreMadeOnce() throws Exception {
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")).withSharedBuffers(16))) {
            List<Long> left = new ArrayList<>();
            WalFiles.prepare(server.config(), left::add);
            WalFiles.prepare(server.config(), left::add);

            assertEquals(16, left.size(), "pieces of half of max_wal_size, written once");
            assertTrue(left.getFirst() > 960 && left.getFirst() <= 1_024, "one file may be there: " + left);
        }
    }
}
