package dev.flowstone.expression;

import static dev.flowstone.expression.Sample.table;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Methods, one line each: expression → value. A value in capitals is the code of an error. */
final class LanguageMethodsTest {
    @TestFactory
    Stream<DynamicTest> methods() {
        return table("""
                trigger.text.includes('World') → true
                trigger.text.includes('o', 9) → false
                trigger.text.includes('') → true
                trigger.text.startsWith('Hello') → true
                trigger.text.startsWith('World', 7) → true
                trigger.text.endsWith('World') → true
                trigger.text.endsWith('Hello', 5) → true
                trigger.text.indexOf('o') → 4
                trigger.text.indexOf('o', 5) → 8
                trigger.text.indexOf('z') → -1
                trigger.text.toLowerCase() → "hello, world"
                'ΣΟΦΟΣ ΟΣ. Σ Σ̈Σ'.toLowerCase() → "σοφος ος. σ σ̈ς"
                'İÄ'.toLowerCase() → "i̇ä"
                'straße'.toUpperCase() → "STRASSE"
                trigger.text.toUpperCase() → "HELLO, WORLD"
                ' a\\u00a0'.trim() → "a"
                ' a '.trimStart() → "a "
                ' a '.trimEnd() → " a"
                trigger.text.slice(0, 5) → "Hello"
                trigger.text.slice(-5) → "World"
                trigger.text.slice(5, 2) → ""
                trigger.text.substring(5, 0) → "Hello"
                trigger.text.charAt(1) → "e"
                trigger.text.charAt(99) → ""
                trigger.text.charAt(-1) → ""
                trigger.text.at(-1) → "d"
                trigger.text.at(99) → UNKNOWN_NAME
                'a,b,c'.split(',') → ["a","b","c"]
                'a,b,c'.split(',', 2) → ["a","b"]
                'abc'.split('') → ["a","b","c"]
                'abc'.split() → ["abc"]
                ''.split('') → []
                ''.split(',') → [""]
                ',a,'.split(',') → ["","a",""]
                'abc'.concat(1, null) → "abc1null"
                'ab'.repeat(3) → "ababab"
                'ab'.repeat(0) → ""
                'ab'.repeat(-1) → TYPE
                '5'.padStart(3, '0') → "005"
                '5'.padEnd(4, 'ab') → "5aba"
                '5'.padStart(3) → "  5"
                'aXbXc'.replace('X', '-') → "a-bXc"
                'aXbXc'.replaceAll('X', '[$&]') → "a[X]b[X]c"
                'abc'.replaceAll('', '-') → "-a-b-c-"
                'abc'.replace('b', "$`$'$$$x") → "aac$$xc"
                'abc'.replace('z', '-') → "abc"
                trigger.tags.includes('red') → true
                trigger.tags.includes('pink') → false
                [NaN].length → TYPE
                trigger.tags.indexOf('blue') → 2
                trigger.tags.indexOf('pink') → -1
                trigger.payload.includes({x: null}) → true
                trigger.tags.join() → "red,green,blue"
                trigger.tags.join(' + ') → "red + green + blue"
                [null, 1].join('-') → "-1"
                [{}].join() → TYPE
                trigger.tags.slice(1) → ["green","blue"]
                trigger.tags.slice(-2, -1) → ["green"]
                trigger.tags.slice(2, 1) → []
                [1].concat([2, 3], 4, [[5]]) → [1,2,3,4,[5]]
                trigger.tags.at(-1) → "blue"
                trigger.list.map(i => i.n) → [1,2]
                trigger.list.filter(i => i.n > 1).map(i => i.s) → ["y"]
                trigger.list.find(i => i.s === 'y').n → 2
                trigger.list.find(i => i.s === 'z') === undefined → true
                trigger.list.findIndex(i => i.s === 'y') → 1
                trigger.list.some(i => i.n === 2) → true
                trigger.list.every(i => i.n === 2) → false
                [].every(x => false) → true
                trigger.numbers.map((n, i) => n * i) → [0,1,4]
                trigger.numbers.map((n, i, all) => all.length) → [3,3,3]
                trigger.numbers.map(() => 1) → [1,1,1]
                trigger.numbers.filter(n => trigger.numbers.some(m => m > n)) → [1,2]
                trigger.numbers.map(trigger => trigger) → [3,1,2]
                trigger.list.map(i => ({id: i.s})) → [{"id":"x"},{"id":"y"}]
                trigger.list.map(i => i.missing) → [null,null]
                Object.keys(trigger.nested) → ["a","b"]
                Object.values({b: 1, a: 2}) → [2,1]
                Object.entries({b: 1, a: 2}) → [["a",2],["b",1]]
                Object.keys([1]) → TYPE
                Array.isArray(trigger.tags) → true
                Array.isArray('x') → false
                Number('12.50') → 12.5
                Number(null) → 0
                Number() → 0
                Number([]) → TYPE
                String(12) → "12"
                String(null) → "null"
                String({}) → TYPE
                String([1, 2]) → "1,2"
                Boolean('') → false
                Boolean([]) → true
                JSON.stringify({b: [1, 'x"'], a: null}) → "{\\"a\\":null,\\"b\\":[1,\\"x\\\\\\"\\"]}"
                JSON.stringify('\\u0001') → "\\"\\\\u0001\\""
                /^\\d{4}-\\d{2}-\\d{2}$/.test(trigger.timestamp) → true
                /hello/i.test(trigger.text) → true
                /hello/.test(trigger.text) → false
                /a.c/.test('a\\nc') → false
                /a.c/s.test('a\\nc') → true
                /\\s/.test('\\u00a0') → true
                /[\\s,]/.test('a,') → true
                /\\u0041/.test('A') → true
                /^[^\\]]+$/.test('abc') → true
                'k=v;l=w'.match(/(\\w)=(\\w)/) → ["k=v","k","v"]
                'k=v;l=w'.match(/(\\w)=(\\w)/g) → ["k=v","l=w"]
                'abc'.match(/x/) → null
                'ab'.match(/a(x)?/) → ["a",null]
                'v1.2'.match(/v(?<major>\\d+)/)[1] → "1"
                /(?=a)/.test('a') → SYNTAX
                /(a)\\1/.test('aa') → SYNTAX
                /(?i)a/.test('A') → SYNTAX
                /\\Aa/.test('a') → SYNTAX
                /a/y.test('a') → SYNTAX
                /a/.exec('a') → FORBIDDEN
                /a/ → FORBIDDEN
                'a'.match('a') → FORBIDDEN
                'a'.replace(/a/, 'b') → FORBIDDEN
                'abc'.reverse() → FORBIDDEN
                trigger.tags.push(1) → FORBIDDEN
                trigger.boardId.trim() → TYPE
                trigger.missing.trim() → TYPE
                trigger.tags.trim() → TYPE
                'a'.trim(1) → FORBIDDEN
                Math.random() → UNKNOWN_NAME
                Math.PI → UNKNOWN_NAME
                """);
    }
}
