package dev.flowstone.expression;

import java.util.stream.Stream;

/** Sources written to escape, to exhaust or to crash; each with the codes that it may end with. */
final class HostileSources {
    record Hostile(String source, String codes) {}

    private HostileSources() {}

    static Stream<Hostile> all() {
        return Stream.of(hostAccess(), prototypes(), endless(), memory(), nesting(), regex(), grammar())
                .flatMap(sources -> sources);
    }

    private static Hostile hostile(String source, String codes) {
        return new Hostile(source, codes);
    }

    private static Stream<Hostile> hostAccess() {
        return Stream.of(
                hostile("java.lang.Runtime.getRuntime().exec('id')", "FORBIDDEN"),
                hostile("java.lang.System", "UNKNOWN_NAME"),
                hostile("Packages.java.io.File", "UNKNOWN_NAME"),
                hostile("javax.script", "UNKNOWN_NAME"),
                hostile("getClass()", "UNKNOWN_NAME"),
                hostile("trigger.getClass()", "FORBIDDEN"),
                hostile("''.getClass().forName('java.lang.System')", "FORBIDDEN"),
                hostile("importClass(java.io.File)", "UNKNOWN_NAME"),
                hostile("importPackage(java.io)", "UNKNOWN_NAME"),
                hostile("JavaImporter(java.io)", "UNKNOWN_NAME"),
                hostile("process.exit(1)", "FORBIDDEN"),
                hostile("process.env", "UNKNOWN_NAME"),
                hostile("require('fs')", "UNKNOWN_NAME"),
                hostile("import('fs')", "SYNTAX UNKNOWN_NAME"),
                hostile("globalThis.process", "UNKNOWN_NAME"),
                hostile("window", "UNKNOWN_NAME"),
                hostile("this.constructor", "FORBIDDEN"),
                hostile("eval('1')", "UNKNOWN_NAME"),
                hostile("\\u0065val('1')", "SYNTAX"),
                hostile("(0, eval)('1')", "FORBIDDEN"),
                hostile("Function('return 1')()", "FORBIDDEN UNKNOWN_NAME"),
                hostile("new Function('return 1')", "FORBIDDEN"),
                hostile("new java.io.File('/')", "FORBIDDEN"),
                hostile("Java.type('java.lang.System')", "FORBIDDEN"),
                hostile("load('x.js')", "UNKNOWN_NAME"),
                hostile("print(1)", "UNKNOWN_NAME"),
                hostile("arguments", "UNKNOWN_NAME"),
                hostile("Reflect.ownKeys(trigger)", "FORBIDDEN"),
                hostile("new Proxy({}, {})", "FORBIDDEN"),
                hostile("Date.now()", "FORBIDDEN"),
                hostile("Math.random()", "UNKNOWN_NAME"),
                hostile("setTimeout(1)", "UNKNOWN_NAME"),
                hostile("WebAssembly", "UNKNOWN_NAME"),
                hostile("Symbol.iterator", "UNKNOWN_NAME"));
    }

    private static Stream<Hostile> prototypes() {
        return Stream.of(
                hostile("''.constructor.constructor('return this')()", "FORBIDDEN"),
                hostile("[].constructor.constructor('x')", "FORBIDDEN"),
                hostile("''['constructor']['constructor']('x')", "FORBIDDEN"),
                hostile("''.c\\u006fnstructor('x')", "SYNTAX"),
                hostile("[].map.constructor", "TYPE"),
                hostile("[].map.call([1])", "FORBIDDEN"),
                hostile("({}).__proto__.polluted", "TYPE"),
                hostile("({}).__proto__.polluted = 1", "FORBIDDEN"),
                hostile("Object.prototype", "UNKNOWN_NAME"),
                hostile("Object.getPrototypeOf({})", "UNKNOWN_NAME"),
                hostile("Object.assign(trigger, {})", "UNKNOWN_NAME"),
                hostile("Object.defineProperty(trigger, 'a', {})", "UNKNOWN_NAME"),
                hostile("({}).__defineGetter__('a', 1)", "FORBIDDEN"),
                hostile("({__proto__: null}).hasOwnProperty('a')", "FORBIDDEN"),
                hostile("({get a() { return 1 }}).a", "FORBIDDEN"),
                hostile("({set a(v) { }}).a", "FORBIDDEN"),
                hostile("({toString() { return 'x' }}) + ''", "FORBIDDEN"),
                hostile("({valueOf: 1}) + 1", "TYPE"),
                hostile("({toString: 'x'}) + ''", "TYPE"),
                hostile("trigger.polluted = true", "FORBIDDEN"),
                hostile("trigger['tags'] = []", "FORBIDDEN"),
                hostile("trigger.tags.push('x')", "FORBIDDEN"),
                hostile("delete trigger.tags", "FORBIDDEN"));
    }

    private static Stream<Hostile> endless() {
        String list = "[" + "0,".repeat(199) + "0]";
        return Stream.of(
                hostile("while (true) {}", "SYNTAX"),
                hostile("for (;;) {}", "SYNTAX"),
                hostile("do {} while (true)", "SYNTAX"),
                hostile("(() => { while (true) {} })()", "FORBIDDEN"),
                hostile("(function f() { return f() })()", "FORBIDDEN"),
                hostile("(f => f(f))(f => f(f))", "FORBIDDEN"),
                hostile("[1].map(f => f(f))", "UNKNOWN_NAME FORBIDDEN"),
                hostile(list + ".map(a => " + list + ".map(b => " + list + ".map(c => 1)))", "BUDGET_STEPS"),
                hostile(
                        "trigger.numbers" + ".map(a => trigger.numbers".repeat(9)
                                + ".map(z => trigger.numbers.map(y => y)" + ")".repeat(10),
                        "BUDGET_STEPS BUDGET_DEPTH"),
                hostile(
                        "'a'.repeat(100000).split('').map(a => 'a'.repeat(100000).includes('b'))",
                        "BUDGET_STEPS BUDGET_BYTES"),
                hostile("('a'.repeat(500000) + 'b').includes('a'.repeat(250000) + 'c')", "false"),
                hostile("'ab'.repeat(200000).split('').every(c => 'ab'.includes(c))", "BUDGET_STEPS BUDGET_BYTES"));
    }

    private static Stream<Hostile> memory() {
        return Stream.of(
                hostile("'x'.repeat(1 << 30)", "FORBIDDEN"),
                hostile("'x'.repeat(1073741824)", "BUDGET_BYTES"),
                hostile("'x'.repeat(1e300)", "BUDGET_BYTES"),
                hostile("'x'.repeat(Infinity)", "BUDGET_BYTES"),
                hostile("'x'.repeat(1000000).repeat(1000000)", "BUDGET_BYTES"),
                hostile("'x'.padStart(2147483647)", "BUDGET_BYTES"),
                hostile("''.padEnd(2e9, 'ab')", "BUDGET_BYTES"),
                hostile("Array(1e9).fill(1)", "FORBIDDEN UNKNOWN_NAME"),
                hostile("new Array(1e9)", "FORBIDDEN"),
                hostile("Array.from({length: 1e9})", "UNKNOWN_NAME"),
                hostile("[...'x'.repeat(1000000)]", "FORBIDDEN"),
                hostile("Math.max(...trigger.numbers)", "SYNTAX"),
                hostile("'x'.repeat(1000000).split('')", "BUDGET_BYTES BUDGET_STEPS"),
                hostile("'x'.repeat(100000).replaceAll('x', 'y'.repeat(100000))", "BUDGET_BYTES"),
                hostile("'x'.repeat(3000).replaceAll('', '$`')", "BUDGET_BYTES BUDGET_STEPS"),
                hostile("'x'.repeat(100000).split('').join('y'.repeat(1000))", "BUDGET_BYTES BUDGET_STEPS"),
                hostile("[1,2,3,4,5,6,7,8,9].map(i => 'x'.repeat(400000))", "BUDGET_BYTES"),
                hostile("`${'x'.repeat(900000)}${'x'.repeat(900000)}`.concat('x'.repeat(900000))", "BUDGET_BYTES"),
                hostile("'x'.repeat(1000000) + 'x'.repeat(1000000)", "BUDGET_BYTES"),
                hostile("'\\u0390'.repeat(300000).toUpperCase().toUpperCase()", "BUDGET_BYTES"),
                hostile("'\\u0390'.repeat(300000).toUpperCase()", "true"),
                hostile("'\\u0130'.repeat(300000).toLowerCase()", "true"),
                hostile("'\\u03a3'.repeat(300000).toLowerCase()", "true"),
                hostile("'\\ud801\\udc00\\u03a3'.repeat(150000).toLowerCase()", "true"),
                hostile("JSON.stringify('\\u0001'.repeat(500000))", "BUDGET_BYTES"),
                hostile(
                        "[[0,0,0,0,0,0,0,0,0,0]]" + ".map(a => a.concat(a,a,a,a,a,a,a,a,a))".repeat(8),
                        "BUDGET_BYTES false true"),
                hostile(
                        "[0]" + ".map(a => [a,a,a,a,a,a,a,a,a,a])".repeat(12) + ".map(a => JSON.stringify(a))",
                        "BUDGET_BYTES BUDGET_STEPS"),
                hostile(
                        "[[0]" + ".map(a => [a,a,a,a,a,a,a,a,a,a])".repeat(12) + "].every(a => a === " + "[0]"
                                + ".map(a => [a,a,a,a,a,a,a,a,a,a])".repeat(12) + ")",
                        "BUDGET_STEPS"),
                hostile("9 ** 9 ** 9 ** 9 > 1", "true"),
                hostile("(1e1000).toFixed(100).length + (1e-1000).toFixed(100).length > 0", "true"),
                hostile("'a'.match(/(a|b|ab)*c/) === null && '9'.repeat(100000) < 1", "false"));
    }

    private static Stream<Hostile> nesting() {
        int deep = 100_000;
        return Stream.of(
                        "(",
                        "[",
                        "!",
                        "-",
                        "- ",
                        "~",
                        "typeof ",
                        "a?",
                        "a?b:",
                        "a&&",
                        "a||",
                        "a??",
                        "a+",
                        "a-",
                        "a**",
                        "{a:",
                        "`${",
                        "a=>",
                        "(a)=>",
                        "f(",
                        "a[",
                        "a.",
                        "a?.",
                        "a,",
                        "a=",
                        "new ",
                        "void ",
                        "async ",
                        "await ",
                        "function(){",
                        "a<",
                        "<",
                        "/*",
                        "//",
                        "'",
                        "\"",
                        "`",
                        "/",
                        "\\",
                        "\\u{",
                        "${",
                        "}",
                        "}}",
                        "{{",
                        ")",
                        "]",
                        "...",
                        "@",
                        "#",
                        "label:",
                        "yield ",
                        "class ",
                        "x\n",
                        "\u2028",
                        "\u0000",
                        "\ud800",
                        "[a?{a:f(-",
                        "a[`${")
                .flatMap(piece -> Stream.of(
                        hostile(piece.repeat(deep), "BUDGET_BYTES"),
                        hostile(piece.repeat(4_096 / piece.length()), "SYNTAX FORBIDDEN BUDGET_DEPTH UNKNOWN_NAME"),
                        hostile(
                                piece.repeat(4_000 / piece.length()) + "1",
                                "SYNTAX FORBIDDEN BUDGET_DEPTH UNKNOWN_NAME true false"),
                        hostile(piece.repeat(60) + "1", "SYNTAX FORBIDDEN BUDGET_DEPTH UNKNOWN_NAME true false TYPE")));
    }

    private static Stream<Hostile> regex() {
        return Stream.of(
                hostile("/(a+)+$/.test('" + "a".repeat(3_000) + "!')", "false"),
                hostile("/^(([a-z])+.)+[A-Z]([a-z])+$/.test('" + "a".repeat(3_000) + "')", "false"),
                hostile("/(a|aa)+$/.test('a'.repeat(100000) + '!')", "BUDGET_STEPS false"),
                hostile("/(.*)*(.*)*(.*)*x/.test('a'.repeat(1000000))", "BUDGET_STEPS"),
                hostile("/((a{100}){100}){100}/.test('a')", "SYNTAX"),
                hostile("/(((((((a{9}){9}){9}){9}){9}){9}){9})/.test('a')", "SYNTAX"),
                hostile("/a{1000}{1000}/.test('a')", "SYNTAX"),
                hostile("/(a?){200}a{40}/.test('" + "a".repeat(40) + "')", "SYNTAX"),
                hostile("/(a?){50}a{50}/.test('" + "a".repeat(50) + "')", "true SYNTAX"),
                hostile("/" + "(".repeat(1_000) + "a" + ")".repeat(1_000) + "/.test('a')", "SYNTAX"),
                hostile("/" + "(?:a|".repeat(60) + "a" + ")".repeat(60) + "/.test('a')", "true"),
                hostile("/(?=(a+))a*b\\1/.test('a')", "SYNTAX"),
                hostile("/(?<!a)b/.test('a')", "SYNTAX"),
                hostile("/[/.test('a')", "SYNTAX"),
                hostile("/(/.test('a')", "SYNTAX"),
                hostile("/\\p{L}/u.test('a')", "SYNTAX"),
                hostile("/[a-\\d]/.test('a')", "SYNTAX true false"));
    }

    private static Stream<Hostile> grammar() {
        return Stream.of(
                hostile("tag`x`", "FORBIDDEN"),
                hostile("trigger.tags`x`", "FORBIDDEN"),
                hostile("a: 1", "SYNTAX"),
                hostile("label: while (true) break label", "SYNTAX"),
                hostile("async () => 1", "SYNTAX FORBIDDEN"),
                hostile("await 1", "SYNTAX FORBIDDEN"),
                hostile("function* g() { yield 1 }", "FORBIDDEN"),
                hostile("[1].map(function* (x) { yield x })", "FORBIDDEN"),
                hostile("with (trigger) tags", "SYNTAX"),
                hostile("var a = 1", "SYNTAX"),
                hostile("let a = 1", "SYNTAX"),
                hostile("throw 1", "SYNTAX"),
                hostile("try { a } catch (e) { b }", "SYNTAX"),
                hostile("debugger", "SYNTAX"),
                hostile("'use strict'; 1", "SYNTAX"),
                hostile("1) || (true", "SYNTAX"),
                hostile("1); (true", "SYNTAX"),
                hostile("1}) + ({a: 1", "SYNTAX"),
                hostile("true //", "SYNTAX"),
                hostile("true /*", "SYNTAX"),
                hostile("true\n-->", "SYNTAX"),
                hostile("<a>{b}</a>", "SYNTAX"),
                hostile("a..b", "SYNTAX"),
                hostile("a::b", "SYNTAX"),
                hostile("a.@b", "SYNTAX"),
                hostile("a.#b", "SYNTAX"),
                hostile("super.a", "SYNTAX"),
                hostile("new.target", "SYNTAX"),
                hostile("import.meta", "SYNTAX UNKNOWN_NAME"),
                hostile("class A {}", "SYNTAX"),
                hostile("[a, b] = [b, a]", "FORBIDDEN SYNTAX"),
                hostile("({a} = b)", "FORBIDDEN SYNTAX"),
                hostile("a ||= b", "FORBIDDEN SYNTAX"),
                hostile("a ??= b", "FORBIDDEN SYNTAX"),
                hostile("", "SYNTAX"),
                hostile(" \t\n", "SYNTAX"),
                hostile("\u0000", "SYNTAX"),
                hostile("\ufeff1", "true SYNTAX"),
                hostile("\ud800", "SYNTAX"),
                hostile("'\ud800' === '\\ud800'", "SYNTAX"),
                hostile("'\\ud800' === 'a'", "SYNTAX"),
                hostile("{'\\ud800': 1}", "SYNTAX"),
                hostile("trigger['\\udc00']", "SYNTAX"),
                hostile("trigger.emoji[1]", "TYPE"),
                hostile("trigger.emoji.split('')", "TYPE"),
                hostile("trigger.emoji.slice(0, 2)", "TYPE"),
                hostile("trigger.emoji.replaceAll('', '-')", "TYPE"),
                hostile("'a'.padEnd(4, trigger.emoji)", "TYPE true"),
                hostile("/\\ud83d/.test(trigger.emoji)", "SYNTAX false"),
                hostile("/./g.test('\\ude00')", "SYNTAX"),
                hostile("'\\u{110000}'", "SYNTAX"),
                hostile("\\u{110000}", "SYNTAX"),
                hostile("\u202etrue", "true SYNTAX"),
                hostile("tr\u0443e", "UNKNOWN_NAME"),
                hostile("0b2", "SYNTAX"),
                hostile("1e99999999999", "true"),
                hostile("1e-99999999999", "false"),
                hostile("0x" + "f".repeat(4_000), "SYNTAX"),
                hostile("9".repeat(4_000), "SYNTAX"),
                hostile("x".repeat(4_000), "UNKNOWN_NAME"),
                hostile("'x'".repeat(1_000), "SYNTAX"),
                hostile("true &&".repeat(580) + "true", "true"),
                hostile("1" + "+1".repeat(2_000), "true"),
                hostile("trigger" + ".a".repeat(2_000), "TYPE"),
                hostile("trigger" + "?.a".repeat(1_300) + " === undefined", "true"),
                hostile("trigger" + "[0]".repeat(1_300), "TYPE"),
                hostile("''" + ".trim()".repeat(500) + " === ''", "true"),
                hostile("x".repeat(10_000_000), "BUDGET_BYTES"));
    }
}
