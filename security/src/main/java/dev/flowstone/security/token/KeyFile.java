package dev.flowstone.security.token;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A JWK set in a file, which may be replaced while it is used. */
public record KeyFile(Path path) implements JwkSource.Loader {
    public KeyFile {
        requireNonNull(path);
    }

    @Override
    public byte[] load() throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            // One more than is allowed, so that what is longer is seen to be.
            return in.readNBytes(KeySet.MOST_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + path, e);
        }
    }
}
