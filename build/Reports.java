import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** What Surefire has written down of the tests that ran, all modules together. */
final class Reports {
    enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    /**
     * One test, or one row of one that has several.
     *
     * @param type the class, with its package
     * @param name as JUnit shows it: {@code method}, {@code method(Type)[3]}, or whatever a dynamic test is called
     * @param why the trace of one that failed
     */
    record Result(String type, String name, Outcome outcome, String why) {
        /** {@code package.Class#method}, whatever row it is. */
        String test() {
            return type + "#" + name.split("[({]", 2)[0];
        }
    }

    private Reports() {}

    static List<Path> files(Path home) throws IOException {
        try (Stream<Path> files = Files.find(home.toAbsolutePath(), 5, (path, attributes) -> isReport(path))) {
            return files.sorted().toList();
        }
    }

    private static boolean isReport(Path path) {
        String name = path.getFileName().toString();
        return path.getParent().endsWith("target/surefire-reports")
                && name.startsWith("TEST-")
                && name.endsWith(".xml");
    }

    static List<Result> read(Path home) throws Exception {
        List<Result> results = new ArrayList<>();
        for (Path file : files(home)) {
            NodeList tests = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getElementsByTagName("testcase");
            for (int i = 0; i < tests.getLength(); i++) {
                results.add(result((Element) tests.item(i)));
            }
        }
        return results;
    }

    private static Result result(Element test) {
        String type = test.getAttribute("classname");
        String name = test.getAttribute("name");
        for (Node child = test.getFirstChild(); child != null; child = child.getNextSibling()) {
            switch (child.getNodeName()) {
                case "failure", "error" -> {
                    return new Result(type, name, Outcome.FAILED, child.getTextContent());
                }
                case "skipped" -> {
                    return new Result(type, name, Outcome.SKIPPED, "");
                }
                default -> {} // what the test printed
            }
        }
        return new Result(type, name, Outcome.PASSED, "");
    }
}
