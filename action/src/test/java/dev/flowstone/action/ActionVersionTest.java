package dev.flowstone.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ActionVersionTest {
    @Test
    void isMajorMinorPatchAndSortsByThem() {
        assertEquals("1.20.3", ActionVersion.parse("1.20.3").toString());
        assertTrue(ActionVersion.parse("1.9.0").compareTo(ActionVersion.parse("1.10.0")) < 0);
        assertTrue(ActionVersion.parse("2.0.0").compareTo(ActionVersion.parse("1.10.9")) > 0);
        assertTrue(ActionVersion.parse("1.0.1").compareTo(ActionVersion.parse("1.0.2")) < 0);
    }

    @Test
    void onlyFromTheSecondMajorOnItStandsInTheId() {
        assertEquals("", ActionVersion.parse("0.9.0").suffix());
        assertEquals("", ActionVersion.parse("1.9.9").suffix());
        assertEquals("-v2", ActionVersion.parse("2.0.0").suffix());
        assertEquals("-v13", ActionVersion.parse("13.1.0").suffix());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "1.2", "1.2.3.4", "v1.2.3", "1.02.3", "1.2.3-beta", "-1.0.0", "1.2.9999999", "１.2.3"})
    void whatIsNoneIsRefused(String written) {
        assertThrows(IllegalArgumentException.class, () -> ActionVersion.parse(written));
    }
}
