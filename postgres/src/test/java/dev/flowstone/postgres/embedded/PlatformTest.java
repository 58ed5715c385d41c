package dev.flowstone.postgres.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

final class PlatformTest {
    @Test
    void namesTheArchivesAsTheyAreNamed() {
        assertEquals("postgres-linux-x86_64.txz", Platform.of("Linux", "amd64").archive());
        assertEquals(
                "postgres-linux-arm_64.txz", Platform.of("Linux", "aarch64").archive());
        assertEquals(
                "postgres-darwin-x86_64.txz", Platform.of("Mac OS X", "x86_64").archive());
        assertEquals(
                "postgres-darwin-arm_64.txz", Platform.of("Mac OS X", "aarch64").archive());
    }

    @Test
    void theBuildCarriesThisMachines() {
        assertNotNull(PlatformTest.class.getResource("/" + Platform.current().archive()));
    }
}
