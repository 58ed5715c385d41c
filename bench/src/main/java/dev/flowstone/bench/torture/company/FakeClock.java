package dev.flowstone.bench.torture.company;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A process's clock, which can be set while it runs, by libfaketime. Only what the time of day is, is faked: how much time
 * passes is not.
 */
final class FakeClock {
    private static final List<Path> PLACES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

    private final Path library;
    private final Path setting;

    private FakeClock(Path library, Path setting) {
        this.library = library;
        this.setting = setting;
    }

    static Optional<Path> library() {
        return PLACES.stream().filter(Files::exists).findFirst();
    }

    /** Right, until it is set; empty where the library isn't installed. */
    static Optional<FakeClock> in(Path setting) throws IOException {
        Optional<FakeClock> clock = library().map(found -> new FakeClock(found, setting.toAbsolutePath()));
        if (clock.isPresent()) {
            clock.get().set(Duration.ZERO);
        }
        return clock;
    }

    /** For the process whose clock it is. With the library's fix of the monotonic clock, timed waits of a JVM end at once. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", setting.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "DONT_FAKE_MONOTONIC", "1");
    }

    /** Whole seconds before or behind the right time; the process sees it within a second or two. */
    void set(Duration offset) throws IOException {
        String text = (offset.isNegative() ? "-" : "+") + offset.abs().toSeconds();
        Path draft = setting.resolveSibling(setting.getFileName() + ".new");
        Files.writeString(draft, text + "\n");
        Files.move(draft, setting, StandardCopyOption.ATOMIC_MOVE);
    }
}
