package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users copy from must compile. */
final class ExampleTest {
    @TempDir
    Path classes = Path.of("");

    @Test
    void theExampleCompilesAgainstTheLibrary() throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-d", classes.toString());
            boolean compiled = compiler.getTask(
                            said,
                            files,
                            null,
                            options,
                            null,
                            files.getJavaFileObjects(Path.of("..", "examples", "worker", "OrderWorker.java")))
                    .call();

            assertEquals("", said.toString());
            assertEquals(true, compiled);
        }
    }
}
