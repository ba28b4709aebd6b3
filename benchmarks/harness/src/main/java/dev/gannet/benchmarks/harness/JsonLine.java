package dev.gannet.benchmarks.harness;

import java.util.StringJoiner;

/** A JSON object on one line, written field by field. */
final class JsonLine {
  private static final char FIRST_PLAIN = ' ';

  private final StringJoiner fields = new StringJoiner(",", "{", "}");

  JsonLine with(String name, long value) {
    fields.add(quoted(name) + ":" + value);
    return this;
  }

  JsonLine with(String name, double value) {
    fields.add(quoted(name) + ":" + value);
    return this;
  }

  JsonLine with(String name, String value) {
    fields.add(quoted(name) + ":" + quoted(value));
    return this;
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < FIRST_PLAIN) {
        json.append(' ');
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
