package dev.flowstone.connectors.credential;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.flowstone.action.Credential;
import dev.flowstone.action.CredentialProvider;
import dev.flowstone.action.CredentialRequest;
import dev.flowstone.action.LookupFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One token for each connector, whoever asks: the text of the file that is named as the connector, without the white space around
 * it, as Kubernetes and systemd put secrets into a folder. Read whenever it is asked for, so that a new token counts at once.
 */
public final class FolderCredentials implements CredentialProvider {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,99}");
    private static final int MOST_BYTES = 64 << 10;

    private final Path folder;

    public FolderCredentials(Path folder) {
        this.folder = requireNonNull(folder);
    }

    @Override
    public Optional<Credential> find(CredentialRequest request) {
        String name = request.connectorId();
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        try (InputStream file = Files.newInputStream(folder.resolve(name))) {
            byte[] bytes = file.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException("the file is longer than " + MOST_BYTES + " bytes");
            }
            return Optional.of(new String(bytes, UTF_8).strip())
                    .filter(token -> !token.isEmpty())
                    .map(Credential::new);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new LookupFailedException("the credential of the connector " + name + " can't be read", e);
        }
    }
}
