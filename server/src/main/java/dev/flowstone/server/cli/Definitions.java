package dev.flowstone.server.cli;

import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.server.definition.Checked;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Definitions in files, and their faults on the terminal. */
final class Definitions {
    /** Far more than any limit on definitions and inputs; less than what takes the process down. */
    private static final int MOST_BYTES = 64 << 20;

    private Definitions() {}

    static byte[] read(Path file) throws UsageException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new UsageException(
                        file + " is longer than " + (MOST_BYTES >> 20) + " MiB; nothing of ours is so long");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new UsageException("there is no file " + file);
        } catch (IOException e) {
            throw new UsageException(file + " can't be read: " + reason(e));
        }
    }

    /** Why a file can't be read or written; the exception's own message is often nothing but its name. */
    static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException it -> Optional.ofNullable(it.getReason()).orElseGet(it::toString);
            default -> String.valueOf(e.getMessage());
        };
    }

    static void print(Terminal terminal, Path file, Checked checked) {
        for (Fault fault : checked.faults()) {
            print(terminal, file + ":" + fault.line() + ":" + fault.column() + ":", fault);
        }
    }

    /** As compilers write them, so that editors can jump there. */
    static void print(Terminal terminal, String place, Fault fault) {
        String kind = fault.isError() ? terminal.red("error") : terminal.yellow("warning");
        String pointer = fault.pointer().isEmpty() ? "(the document)" : fault.pointer();
        terminal.err()
                .println(terminal.bold(Printable.text(place)) + " " + kind + " "
                        + fault.code().id() + " " + Printable.text(pointer));
        terminal.err().println("    " + Printable.text(fault.message()));
        terminal.err().println("    " + terminal.dim("→ " + Printable.text(fault.remedy())));
    }
}
