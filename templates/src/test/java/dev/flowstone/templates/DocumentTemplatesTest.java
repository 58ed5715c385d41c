package dev.flowstone.templates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateFormat;
import dev.flowstone.engine.template.TemplateId;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.templates.DocumentTemplates.Document;
import dev.flowstone.templates.fields.FieldFault;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The language of bodies, and what is refused, each with its place. */
final class DocumentTemplatesTest {
    private static final DocumentTemplates TEMPLATES = new DocumentTemplates(new ScriptExpressions());
    private static final String ANSWERS = """
            {"title": "Gears & <Cogs>", "goal": null, "count": 7615917337495251231, "open": true, "people": ["Ada", "Bob"],
             "rows": [{"name": "a", "tags": ["x", "y"]}, {"name": "b", "tags": []}], "none": []}
            """;

    private static JsonObject json(String text) {
        try {
            return (JsonObject) JsonParser.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static TemplateVersion version(TemplateDraft draft) {
        TemplateSet.Mark mark = new TemplateSet.Mark(Instant.EPOCH, Actor.parse("user:ada"));
        return new TemplateVersion(
                new TemplateName(new TemplateSetId("briefs"), new TemplateId("app")),
                false,
                4,
                draft,
                Optional.empty(),
                true,
                mark);
    }

    private static TemplateDraft draft(String body, TemplateFormat format, String fields) {
        return new TemplateDraft("App", format, json(fields), body, Optional.empty());
    }

    private static Document render(String body, String answers) {
        return TEMPLATES.render(
                version(draft(body, TemplateFormat.TEXT, "{}")), json(answers), json("{\"by\": \"Eve\"}"));
    }

    private static String text(String body) {
        Document document = render(body, ANSWERS);
        return assertInstanceOf(Document.Rendered.class, document, document::toString)
                .body();
    }

    private static String fault(String body, String answers) {
        Document document = render(body, answers);
        var fault = assertInstanceOf(Document.Failed.class, document, document::toString)
                .fault();
        return fault.code() + " " + fault.line() + ":" + fault.column() + " " + fault.message();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            plain text, even with { % } and }}                                    | plain text, even with { % } and }}
            {{ answers.title }} by {{ extras.by }}                                | Gears & <Cogs> by Eve
            [{{ answers.goal }}]                                                  | []
            {{ answers.count }}                                                   | 7615917337495251231
            {{ answers.goal ?? 'none' }}                                          | none
            {{ answers.missing ?? '' }}x                                          | x
            {{ answers.people }}                                                  | ["Ada","Bob"]
            {{ answers.people.join(', ') }}                                       | Ada, Bob
            {{ answers.title.toUpperCase() }}                                     | GEARS & <COGS>
            {{ '}}' }}{{ '{{' }}                                                  | }}{{
            {{ template.templateSetId }}/{{ template.templateId }}#{{ template.version }} | briefs/app#4
            {% if answers.open %}yes{% else %}no{% endif %}                       | yes
            {% if answers.goal %}yes{% else %}no{% endif %}                       | no
            {% if answers.missing %}yes{% elsif answers.count > 5 %}much{% endif %} | much
            {% if answers.title === '%}' %}yes{% endif %}.                        | .
            {% for p in answers.people %}{{ forloop.index }}{{ p }}{% if !forloop.last %}, {% endif %}{% endfor %} | 1Ada, 2Bob
            {% for p in answers.none %}{{ p }}{% else %}nobody{% endfor %}        | nobody
            {% for r in answers.rows %}{{ r.name }}{% for t in r.tags %}{{ r.name + t }}{% endfor %}{% endfor %} | aaxayb
            a {{- answers.count -}} b                                             | a7615917337495251231b
            {{ -answers.rows.length }}                                            | -2
            a {%- if true -%} b {%- endif -%} c                                   | abc
            {% raw %}{{ no }} {% if %}{% endraw %}!                               | {{ no }} {% if %}!
            a{% comment %} {{ nothing {% endcomment %}b                           | ab
            """)
    void whatABodySays(String body, String document) {
        assertEquals(document, text(body));
    }

    @Test
    void aTagAloneOnItsLineLeavesNone() {
        assertEquals(
                "# Gears & <Cogs>\n\n* Ada\n* Bob\n\nEnd\n",
                text("# {{ answers.title }}\n\n{% for p in answers.people %}\n* {{ p }}\n{% endfor %}\n\nEnd\n"));
        assertEquals("a\nb", text("a\n{%- if true %}\nb{% endif %}"));
        assertEquals("a\nb", text("a\n{% if true -%}\nb{% endif %}"));
        assertEquals("a\nb", text("a\n{% comment %}x{% endcomment %}\nb"));
        assertEquals("a\nb", text("a{% comment %}\nx\n{% endcomment %}\nb"));
        assertEquals("a\nb", text("a\n{% comment %}\nx\n{% endcomment %}\nb"));
        assertEquals("a\n{{ x }}\nb", text("a\n{% raw %}\n{{ x }}\n{% endraw %}\nb"));
        assertEquals("a{{ x }}b", text("a {%- raw -%} {{ x }} {%- endraw -%} b"));
        assertEquals("a\r\nb", text("a\r\n  {% if false %}\r\nno\r\n  {% endif %}\r\nb"));
    }

    @Test
    void valuesAreTextInHtml() {
        TemplateVersion html = version(draft(
                "<h1 title=\"{{ answers.title }}\">{{ answers.title }}</h1>{{ extras.note }}",
                TemplateFormat.HTML,
                "{}"));

        Document document = TEMPLATES.render(
                html, json(ANSWERS), json("{\"note\": \"<script>alert('x')</script>\\\" onclick=\\\"y\"}"));

        assertEquals(
                new Document.Rendered("<h1 title=\"Gears &amp; &lt;Cogs&gt;\">Gears &amp; &lt;Cogs&gt;</h1>"
                        + "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot; onclick=&quot;y"),
                document);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {{ answers.missing }}                       | UNKNOWN_NAME 1:3 'answers.missing': The expression has no value
            {% if true %}{{ answers.a.b }}{% endif %}   | TYPE 1:
            {% for x in answers.title %}{% endfor %}    | TYPE 1:13 'answers.title' is no list
            {% if answers.a.b %}{% endif %}             | TYPE 1:
            """)
    void whatCannotBeRenderedIsToldWithItsPlace(String body, String told) {
        String fault = fault(body, "{\"title\": \"t\"}");
        assertTrue(fault.startsWith(told), fault);
    }

    @Test
    void aFaultHasItsLine() {
        String fault = fault("one\ntwo\n  {{ answers.title }} {{ answers.nope }}", "{\"title\": \"t\"}");
        assertTrue(fault.startsWith("UNKNOWN_NAME 3:25 'answers.nope'"), fault);
    }

    private static List<FieldFault> refused(String body, String fields) {
        return TEMPLATES.check(draft(body, TemplateFormat.TEXT, fields));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {{ answers.title                       | BODY_SYNTAX  | line 1, column 1: a {{ is not closed
            {% if x                                | BODY_SYNTAX  | line 1, column 1: a {% is not closed
            {% if answers.a %}                     | BODY_SYNTAX  | {% if %} has no end
            {% for a in answers.b %}{% endif %}    | BODY_SYNTAX  | {% endif %} stands in {% for %}
            {% endif %}                            | BODY_SYNTAX  | {% endif %} stands in no tag
            {% else %}                             | BODY_SYNTAX  | {% else %} stands in no tag
            {% if true %}{% else %}{% else %}{% endif %} | BODY_SYNTAX | {% else %} stands in {% if %}
            {% if true %}{% else %}{% elsif true %}{% endif %} | BODY_SYNTAX | {% elsif %} stands in {% if %}
            {% for answers in answers.b %}{% endfor %}   | BODY_SYNTAX | a loop is written
            {% for a of answers.b %}{% endfor %}   | BODY_SYNTAX  | a loop is written
            {% for a in answers.b %}{% for a in answers.c %}{% endfor %}{% endfor %} | BODY_SYNTAX | a loop is written
            {% for a in [1] }} {{ [2] %}{% endfor %} | BODY_SYNTAX | '[1] }} {{ [2]' is no expression
            {% if true %}{% else now %}{% endif %} | BODY_SYNTAX  | takes nothing behind its name
            {% raw %}                              | BODY_SYNTAX  | {% raw %} has no end
            {% comment %}                          | BODY_SYNTAX  | {% comment %} has no end
            {% include '/etc/passwd' %}            | UNKNOWN_TAG  | includes no other, and no file
            {% assign a = 1 %}                     | UNKNOWN_TAG  | there is no tag 'assign'
            {{ now() }}                            | UNKNOWN_NAME | now
            {{ trigger.secret }}                   | UNKNOWN_NAME | there is no 'trigger' here
            {{ x }}{% for x in answers.b %}{% endfor %} | UNKNOWN_NAME | there is no 'x' here
            {% for x in answers.b %}{% else %}{{ x }}{% endfor %} | UNKNOWN_NAME | there is no 'x' here
            {{ forloop.index }}                    | UNKNOWN_NAME | there is no 'forloop' here
            {{ new Date() }}                       | FORBIDDEN    | line 1
            {{ answers.a = 1 }}                    | FORBIDDEN    | line 1
            {{ this }}                             | FORBIDDEN    | line 1
            {% if answers.a == %}{% endif %}       | SYNTAX       | line 1
            """)
    void whatIsNoBodyIsRefusedWhenItIsWritten(String body, String code, String told) {
        List<FieldFault> faults = refused(body, "{}");

        assertEquals(code, faults.getFirst().code(), faults::toString);
        assertEquals("/body", faults.getFirst().pointer());
        assertTrue(faults.getFirst().message().contains(told), faults::toString);
    }

    @Test
    void thereAreNoFilters() {
        FieldFault fault = refused("{{ answers.a | upcase }}", "{}").getFirst();
        assertEquals("FORBIDDEN", fault.code());
        assertTrue(fault.message().contains("no filters"), fault::toString);
    }

    @Test
    void tagsOfLiquidThatAreMissingAreToldOf() {
        assertEquals(
                "write {% if !(…) %}",
                refused("{% unless answers.a %}{% endunless %}", "{}")
                        .getFirst()
                        .remedy());
    }

    @Test
    void everyWrongExpressionIsToldAtOnce() {
        List<FieldFault> faults = refused("{{ nope }}\n{{ 1 + }}\n{% if ( %}{% endif %}", "{}");
        assertEquals(3, faults.size(), faults::toString);
        assertTrue(faults.get(1).message().startsWith("line 2, column "), faults::toString);
    }

    private static final String FIELDS = """
            {"fields": [
               {"key": "title", "label": "Title", "type": "text", "required": true, "help": "Short."},
               {"key": "due", "type": "date"}, {"key": "size", "type": "number"}, {"key": "people", "type": "list"},
               {"key": "kind", "type": "choice", "options": ["web", "app"]},
               {"key": "parts", "type": "choices", "options": ["a", "b"]}],
             "validation": {"jsonSchema": {"type": "object", "properties": {"title": {"maxLength": 5}}}}}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"title": "Gears"}                                     | ``
            {"title": "Gears", "due": "2026-11-30", "size": 1.5, "people": ["a"], "kind": "web", "parts": ["a"]} | ``
            {"title": "Gears", "due": null, "kind": null, "more": {}} | ``
            {}                                                     | :
            {"title": "Too long"}                                  | /title:
            {"title": 1, "due": "soon", "size": "1"}               | /due: /size: /title:
            {"title": "Gears", "kind": "car", "parts": ["a", "c"]} | /kind: /parts/1:
            {"title": "Gears", "people": [1]}                      | /people/0:
            """)
    void answersAreCheckedByFieldsAndSchema(String answers, String pointers) {
        Document document =
                TEMPLATES.render(version(draft("x", TemplateFormat.TEXT, FIELDS)), json(answers), JsonObject.EMPTY);

        String found = document instanceof Document.WrongAnswers(List<FieldFault> faults)
                ? String.join(
                        " ",
                        faults.stream()
                                .map(it -> it.pointer() + ":")
                                .distinct()
                                .sorted()
                                .toList())
                : "";
        assertEquals(pointers, found);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"more": 1}                                                         | FIELDS_INVALID | /fields/more
            {"fields": {}}                                                      | FIELDS_INVALID | /fields/fields
            {"fields": [1]}                                                     | FIELDS_INVALID | /fields/fields/0
            {"fields": [{"key": "1", "type": "text"}]}                          | FIELDS_INVALID | /fields/fields/0/key
            {"fields": [{"key": "a", "type": "text"}, {"key": "a", "type": "text"}]} | FIELDS_INVALID | /fields/fields/1/key
            {"fields": [{"key": "a", "type": "file"}]}                          | FIELDS_INVALID | /fields/fields/0/type
            {"fields": [{"key": "a", "type": "text", "options": ["b"]}]}        | FIELDS_INVALID | /fields/fields/0/options
            {"fields": [{"key": "a", "type": "choice", "options": ["b", "b"]}]} | FIELDS_INVALID | /fields/fields/0/options
            {"fields": [{"key": "a", "type": "text", "required": "no"}]}        | FIELDS_INVALID | /fields/fields/0/required
            {"fields": [{"key": "a", "type": "text", "label": 1}]}              | FIELDS_INVALID | /fields/fields/0/label
            {"validation": 1}                                                   | FIELDS_INVALID | /fields/validation
            {"validation": {"jsonSchema": []}}                                  | FIELDS_INVALID | /fields/validation/jsonSchema
            {"validation": {"jsonSchema": {"type": "text"}}}                    | SCHEMA_INVALID | /fields/validation/jsonSchema/type
            {"validation": {"jsonSchema": {"$ref": "file:///etc/passwd"}}}      | SCHEMA_INVALID | /fields/validation/jsonSchema/$ref
            {"validation": {"jsonSchema": {"pattern": "(a+)\\\\1"}}}            | SCHEMA_INVALID | /fields/validation/jsonSchema/pattern
            """)
    void aFormThatCannotBeUsedIsRefusedWhenItIsWritten(String fields, String code, String pointer) {
        List<FieldFault> faults = refused("x", fields);

        assertEquals(code, faults.getFirst().code(), faults::toString);
        assertEquals(pointer, faults.getFirst().pointer(), faults::toString);
    }

    @Test
    void theSameTwiceIsTheSame() {
        String body = "{% for r in answers.rows %}{{ r }}{% endfor %}{{ answers }}";
        assertEquals(
                text(body),
                new DocumentTemplates(new ScriptExpressions())
                                        .render(
                                                version(draft(body, TemplateFormat.TEXT, "{}")),
                                                json(ANSWERS),
                                                JsonObject.EMPTY)
                                instanceof Document.Rendered(String again)
                        ? again
                        : "");
    }

    @Test
    void whatNobodyMeansToPrintIsPrintedAsItIs() {
        String odd = "\u0000\u202e\ud83d\ude00{{ answers.x }}{% if %}";
        Document document = TEMPLATES.render(
                version(draft("{{ answers.odd }}", TemplateFormat.TEXT, "{}")),
                JsonObject.builder().put("odd", new JsonString(odd)).build(),
                JsonObject.EMPTY);
        assertEquals(new Document.Rendered(odd), document);
    }
}
