package dev.flowstone.postgres.embedded;

import java.util.Locale;

/** Operating system and processor as the binaries' archives name them. */
record Platform(String system, String processor) {
    static Platform current() {
        return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    static Platform of(String osName, String osArch) {
        String name = osName.toLowerCase(Locale.ROOT);
        String system = name.startsWith("mac") || name.startsWith("darwin") ? "darwin" : name;
        String processor = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> osArch;
        };
        return new Platform(system.replaceAll("[^a-z0-9]", "_"), processor.replaceAll("[^a-zA-Z0-9_]", "_"));
    }

    String archive() {
        return "postgres-" + system + "-" + processor + ".txz";
    }

    @Override
    public String toString() {
        return system + "-" + processor;
    }
}
