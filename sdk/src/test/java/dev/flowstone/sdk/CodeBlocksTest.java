package dev.flowstone.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users copy from must compile: the Java of the documentation, and of the examples. */
final class CodeBlocksTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final Pattern JAVA = Pattern.compile("^```java\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);

    @TempDir
    Path classes = Path.of("");

    /** A block, with what a page takes for granted around it. */
    private static final class Block extends SimpleJavaFileObject {
        private final String text;

        Block(int number, String block) {
            super(URI.create("string:///Block" + number + ".java"), Kind.SOURCE);
            text = """
                    import dev.flowstone.sdk.client.*;
                    import dev.flowstone.sdk.http.*;
                    import dev.flowstone.sdk.worker.*;
                    import java.net.URI;
                    import java.nio.file.*;
                    import java.time.*;
                    import java.util.*;
                    import tools.jackson.databind.*;
                    import tools.jackson.databind.json.JsonMapper;
                    final class Block%d {
                        interface Bank { String pay(Object charge, String key); }
                        void block(FlowstoneClient client, String executionId, Bank bank) throws Exception {
                    %s
                        }
                    }
                    """.formatted(number, block);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private void compile(List<? extends JavaFileObject> sources, StandardJavaFileManager files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options =
                List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-d", classes.toString());
        boolean compiled =
                compiler.getTask(said, files, null, options, null, sources).call();
        assertEquals("", said.toString());
        assertEquals(true, compiled);
    }

    @ParameterizedTest
    @ValueSource(strings = {"client.md", "workers.md"})
    void theJavaOfAPageCompiles(String page) throws Exception {
        List<Block> blocks = new ArrayList<>();
        Matcher found = JAVA.matcher(Files.readString(ROOT.resolve("docs").resolve(page)));
        while (found.find()) {
            blocks.add(new Block(blocks.size(), found.group(1)));
        }
        assertFalse(blocks.isEmpty());
        try (StandardJavaFileManager files =
                ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)) {
            compile(blocks, files);
        }
    }

    @Test
    void theExamplesCompileAgainstTheLibrary() throws Exception {
        List<Path> sources = new ArrayList<>();
        for (String example : List.of("worker", "client")) {
            try (Stream<Path> all = Files.walk(ROOT.resolve("examples").resolve(example))) {
                all.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        assertEquals(3, sources.size());
        try (StandardJavaFileManager files =
                ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)) {
            List<JavaFileObject> objects = new ArrayList<>();
            files.getJavaFileObjectsFromPaths(sources).forEach(objects::add);
            compile(objects, files);
        }
    }

    /** It is a project of its own, so that Maven doesn't look at it when Flowstone is built. */
    @Test
    void theExampleProjectAsksForTheLibraryAloneInItsVersion() throws Exception {
        String example = Files.readString(ROOT.resolve("examples/client/pom.xml"));
        String library = Files.readString(ROOT.resolve("sdk/pom.xml"));
        assertEquals(
                List.of("<groupId>dev.flowstone</groupId> <artifactId>flowstone-sdk</artifactId> " + version(library)),
                Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL)
                        .matcher(example)
                        .results()
                        .map(it -> it.group(1).strip().replaceAll("\\s+", " "))
                        .toList());
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        Matcher release = Pattern.compile("<maven.compiler.release>.*?</maven.compiler.release>")
                .matcher(example);
        assertEquals(true, release.find() && parent.contains(release.group()));
    }

    private static String version(String pom) {
        Matcher version = Pattern.compile("<version>.*?</version>").matcher(pom);
        assertEquals(true, version.find());
        return version.group();
    }
}
