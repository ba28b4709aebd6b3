package dev.gannet.fuzz.targets;

import dev.gannet.fuzz.targets.NettyHpack.Field;
import dev.gannet.http2.message.MessagePart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The rules of RFC 9113 §8.2 and §8.3, checked one after the other over the whole list: a simple
 * implementation with which ours is compared.
 */
final class PlainMessage {
  private static final Pattern NAME = Pattern.compile("[!-9;-@\\[-~]+");
  private static final Pattern VALUE = Pattern.compile("[^\\x00\\r\\n]*", Pattern.DOTALL);
  private static final Pattern SPACED = Pattern.compile("[ \\t].*|.*[ \\t]", Pattern.DOTALL);
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern SCHEME = Pattern.compile("https?", Pattern.CASE_INSENSITIVE);
  private static final Pattern STATUS = Pattern.compile("(?!101)[1-9][0-9][0-9]");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Set<String> OF_REQUESTS =
      Set.of(":method", ":scheme", ":path", ":authority");
  private static final Set<String> OF_CONNECTIONS =
      Set.of("connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade");

  private PlainMessage() {}

  /** Whether a message may have this part. */
  static boolean isSound(List<Field> fields, MessagePart part) {
    List<String> pseudo = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).isPseudo()) {
        pseudo.add(fields.get(i).name());
        if (pseudo.size() != i + 1) {
          return false; // after a regular field
        }
      }
    }
    boolean once = new HashSet<>(pseudo).size() == pseudo.size();
    long lengths = fields.stream().filter(it -> it.name().equals("content-length")).count();
    boolean request = part == MessagePart.REQUEST || part == MessagePart.REQUEST_TRAILERS;
    return once
        && lengths <= 1
        && fields.stream().allMatch(PlainMessage::isSound)
        && !(request && fields.stream().anyMatch(it -> SPACED.matcher(it.value()).matches()))
        && isComplete(fields, new HashSet<>(pseudo), part);
  }

  private static boolean isComplete(List<Field> fields, Set<String> pseudo, MessagePart part) {
    return switch (part) {
      case REQUEST_TRAILERS, RESPONSE_TRAILERS -> pseudo.isEmpty();
      case RESPONSE -> pseudo.equals(Set.of(":status"));
      case REQUEST ->
          fields.contains(new Field(":method", "CONNECT"))
              ? pseudo.equals(Set.of(":method", ":authority"))
              : OF_REQUESTS.containsAll(pseudo)
                  && pseudo.containsAll(Set.of(":method", ":scheme", ":path"))
                  && (namesHost(fields) || hostsAreSound(fields));
    };
  }

  private static boolean namesHost(List<Field> fields) {
    return fields.stream().anyMatch(it -> it.name().equals(":authority") && !it.value().isEmpty());
  }

  private static boolean hostsAreSound(List<Field> fields) {
    return fields.stream()
        .filter(it -> it.name().equals("host"))
        .allMatch(it -> PlainAuthority.isSound(it.value()));
  }

  private static boolean isSound(Field field) {
    String value = field.value();
    if (!VALUE.matcher(value).matches()) {
      return false;
    }
    if (field.isPseudo() && SPACED.matcher(value).matches()) {
      return false;
    }
    return switch (field.name()) {
      case ":method" -> TOKEN.matcher(value).matches();
      case ":scheme" -> SCHEME.matcher(value).matches();
      case ":path" -> !value.isEmpty();
      case ":authority" -> PlainAuthority.isSound(value);
      case ":status" -> STATUS.matcher(value).matches();
      case "te" -> value.equalsIgnoreCase("trailers");
      case "content-length" -> LENGTH.matcher(value).matches();
      default -> NAME.matcher(field.name()).matches() && !OF_CONNECTIONS.contains(field.name());
    };
  }
}
