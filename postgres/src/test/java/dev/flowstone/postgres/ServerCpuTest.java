package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the server's processes took counts, also when the one that took it has ended. */
final class ServerCpuTest extends PostgresTest {
    private static final String WORK = "SELECT count(*) FROM generate_series(1, 3000000) i WHERE i % 7 = 3";

    @Test
    void processorTimeOfConnectionsThatHaveEndedIsCounted() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "only Linux tells of processes this way");
        ServerCpu cpu = ServerCpu.of(config()).orElseThrow();
        Duration before = cpu.soFar();

        number(WORK); // on a connection of its own, which is closed then

        assertTrue(cpu.soFar().minus(before).compareTo(Duration.ofMillis(20)) > 0, cpu.soFar()::toString);
    }
}
