package dev.gannet.api;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * When a token expires, according to the claim {@code exp} of a JSON Web Token (RFC 7519 §4.1.4):
 * never if that claim is missing or cannot be read, and for other tokens.
 */
final class TokenExpiry {
  private static final String CLAIM = "\"exp\"";
  private static final Pattern NUMBER =
      Pattern.compile("-?[0-9]++(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");
  private static final String PUNCTUATION = "{}[]:,";
  private static final String BEHIND_A_WORD = PUNCTUATION + "\" \t\r\n";

  private TokenExpiry() {}

  static Instant of(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return Instant.MAX;
    }
    try {
      byte[] claims = Base64.getUrlDecoder().decode(parts[1]);
      String value = claim(new String(claims, StandardCharsets.UTF_8));
      return NUMBER.matcher(value).matches()
          ? Instant.ofEpochMilli(
              (long) (Double.parseDouble(value) * 1_000)) // at most Long.MAX_VALUE
          : Instant.MAX;
    } catch (IllegalArgumentException e) {
      return Instant.MAX; // it only looks like one
    }
  }

  /** The value of the claim in the outermost object, as it is written; empty if there is none. */
  private static String claim(String json) {
    String value = "";
    String name = "";
    String before = "";
    int depth = 0;
    for (int begin = 0, end; begin < json.length(); begin = end) {
      end = endOfWord(json, begin);
      String word = json.substring(begin, end).strip();
      if (depth == 1 && name.equals(CLAIM) && before.equals(":")) {
        value = word;
      }
      depth += word.equals("{") || word.equals("[") ? 1 : 0;
      depth -= word.equals("}") || word.equals("]") ? 1 : 0;
      if (!word.isEmpty()) {
        name = before;
        before = word;
      }
    }
    return value;
  }

  /** The index after the string, punctuation mark, white space or other word that begins here. */
  private static int endOfWord(String json, int begin) {
    char first = json.charAt(begin);
    if (first == '"') {
      return endOfString(json, begin + 1);
    }
    int end = begin + 1;
    if (BEHIND_A_WORD.indexOf(first) < 0) {
      while (end < json.length() && BEHIND_A_WORD.indexOf(json.charAt(end)) < 0) {
        end++;
      }
    }
    return end;
  }

  private static int endOfString(String json, int begin) {
    int at = begin;
    while (at < json.length() && json.charAt(at) != '"') {
      at += json.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at + 1, json.length());
  }
}
