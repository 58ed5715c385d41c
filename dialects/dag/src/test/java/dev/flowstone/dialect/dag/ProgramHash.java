package dev.flowstone.dialect.dag;

import dev.flowstone.kernel.program.ProgramCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Run in a JVM of its own: prints the hash of each definition named on the command line. */
final class ProgramHash {
    private ProgramHash() {}

    static void main(String[] files) throws IOException {
        StringBuilder out = new StringBuilder();
        for (String file : files) {
            out.append(ProgramCodec.hash(Dags.program(Files.readString(Path.of(file)))))
                    .append('\n');
        }
        System.out.print(out);
    }
}
