package dev.flowstone.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The engine's drivers as somebody would have copied them: the same code in another package under other names, down to the
 * neighbours that it uses.
 */
final class RenamedClasses {
    static final String PACKAGE = "dev.flowstone.architecture.copied";

    private static final Pattern DRIVER =
            Pattern.compile("dev/flowstone/engine/(?:shard|task|node|ownership)/([A-Za-z]+)");

    private final Path folder;

    /** Copies go into this folder, which is the caller's. */
    RenamedClasses(Path folder) {
        this.folder = folder;
    }

    /** Writes a copy of a class, called {@code MyName} if it is called {@code Name}. */
    void copy(JavaClass type) throws IOException {
        String resource = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream stream = RenamedClasses.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IOException("there is no class file " + resource);
            }
            String name = renamed(type.getName().replace('.', '/'));
            Path file = folder.resolve(name + ".class");
            Files.createDirectories(file.resolveSibling(""));
            Files.write(file, renamed(stream.readAllBytes()));
        }
    }

    JavaClasses all() {
        return new ClassFileImporter().importPath(folder);
    }

    private static String renamed(String text) {
        Matcher name = DRIVER.matcher(text);
        return name.replaceAll(PACKAGE.replace('.', '/') + "/My$1");
    }

    /** A class file names everything in its pool of constants, which stands at its beginning. */
    private static byte[] renamed(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(2 * bytes.length);
        DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes));
        DataOutputStream to = new DataOutputStream(out);
        to.write(from.readNBytes(8));
        int constants = from.readUnsignedShort();
        to.writeShort(constants);
        for (int i = 1; i < constants; i++) {
            int tag = from.readUnsignedByte();
            to.writeByte(tag);
            switch (tag) {
                case 1 -> to.writeUTF(renamed(from.readUTF()));
                case 3, 4, 9, 10, 11, 12, 17, 18 -> to.write(from.readNBytes(4));
                case 5, 6 -> {
                    // Longs and doubles take two places.
                    to.write(from.readNBytes(8));
                    i++;
                }
                case 7, 8, 16, 19, 20 -> to.write(from.readNBytes(2));
                case 15 -> to.write(from.readNBytes(3));
                default -> throw new IOException("no constant has the tag " + tag);
            }
        }
        from.transferTo(to);
        return out.toByteArray();
    }
}
