package dev.flowstone.testkit.scenario.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import dev.flowstone.testkit.scenario.check.Difference;
import dev.flowstone.testkit.scenario.source.FileFault;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

final class ReportTest {
    private static final Program PROGRAM = ProgramBuilder.dag("p")
            .task("a", "core.echo")
            .task("b", "core.echo")
            .task("c", "core.echo")
            .edge("start", "a")
            .edge("a", "b")
            .when("a", "c", "x < 1")
            .build();

    private static ScenarioResult result(
            String name, List<Difference> differences, Set<String> nodes, Set<String> edges) {
        return new ScenarioResult(
                Path.of("dir", "f.yaml"),
                name,
                3,
                differences,
                Duration.ofDays(3),
                Duration.ofMillis(12),
                List.of("PT0S RunStarted"),
                new Reached("p.json", PROGRAM, nodes, edges));
    }

    private static final TestReport REPORT = new TestReport(
            List.of(
                    result("good", List.of(), Set.of("a"), Set.of("start->a#0")),
                    result(
                            "<bad> & \"worse\" \u0007 \ud800 ]]>",
                            List.of(new Difference("then.path", 9, List.of("  expected  actual", "- <x>\u0000"))),
                            Set.of("a", "b"),
                            Set.of("a->b#1"))),
            List.of(new FileFault(Path.of("g.yaml"), 1, 2, "", "a & b")));

    @Test
    void junitsXmlIsWellFormedWhateverTheNames() throws Exception {
        String xml = JunitXml.of(REPORT);

        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        Element root = document.getDocumentElement();
        assertEquals("testsuites", root.getTagName());
        assertEquals("3", root.getAttribute("tests"));
        assertEquals("1", root.getAttribute("failures"));
        assertEquals("1", root.getAttribute("errors"));
        assertEquals(2, root.getElementsByTagName("testsuite").getLength());
        Element bad = (Element) root.getElementsByTagName("testcase").item(1);
        assertEquals("<bad> & \"worse\" \ufffd \ufffd ]]>", bad.getAttribute("name"));
        assertEquals("0.012", bad.getAttribute("time"));
        assertTrue(bad.getTextContent().contains("- <x>\ufffd"), bad::getTextContent);
        assertTrue(bad.getTextContent().contains("RunStarted"), bad::getTextContent);
    }

    @Test
    void coverageIsThatOfAllScenariosTogether() {
        Coverage coverage = REPORT.coverage().getFirst();

        assertEquals(1, REPORT.coverage().size());
        assertEquals(3, coverage.nodes());
        assertEquals(List.of("c"), coverage.missingNodes());
        assertEquals(2, coverage.edges(), "the way from the start is nobody's");
        assertEquals(List.of("a->c#2 when x < 1"), coverage.missingEdges());
        assertEquals(66, Coverage.percent(coverage.nodesReached(), coverage.nodes()));
        assertEquals(100, Coverage.percent(0, 0));
    }

    @Test
    void theJsonHasWhatFailedAndWhatWasNeverReached() {
        TestReport sound = new TestReport(List.of(result("n", List.of(), Set.of(), Set.of())), List.of());
        String json = CanonicalJson.exactText(ReportJson.of(sound, true));

        assertTrue(json.contains("\"missingNodes\":[\"a\",\"b\",\"c\"]"), json);
        assertTrue(json.contains("\"virtual\":\"PT72H\""), json);
        assertTrue(json.contains("\"passed\":1"), json);
    }

    @Test
    void theSummaryCountsWhatPassedAndFailedAndWasNotRun() {
        assertEquals("1 passed, 1 failed, 1 file not run", REPORT.summary());
    }
}
