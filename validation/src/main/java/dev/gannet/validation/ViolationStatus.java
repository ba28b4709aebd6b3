package dev.gannet.validation;

import build.buf.protovalidate.Violation;
import build.buf.validate.FieldPath;
import build.buf.validate.FieldPathElement;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.status.DetailedStatus;
import dev.gannet.status.Details;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The status of a request that breaks rules, small enough for the metadata limit of clients. */
final class ViolationStatus {
  /** Clients take 8 KiB of metadata; base64 makes 4 KiB of this. */
  private static final int MOST_BYTES = 3 << 10;

  /**
   * Paths contain keys of maps, and messages may contain values; clients can make both as long as
   * they want.
   */
  private static final int MOST_CHARACTERS = 256;

  /** A description travels twice, and percent-encoding makes up to nine bytes of a character. */
  private static final int MOST_DESCRIBED_CHARACTERS = 128;

  private static final int MOST_REASON_CHARACTERS = 63; // google/rpc/error_details.proto

  private ViolationStatus() {}

  /** One broken rule, in words that are not too long. */
  private record Fault(String field, String message, String rule) {
    static Fault of(Violation violation) {
      build.buf.validate.Violation proto = violation.toProto();
      return new Fault(
          shortened(path(proto.getField()), MOST_CHARACTERS),
          shortened(proto.getMessage(), MOST_CHARACTERS),
          shortened(proto.getRuleId(), MOST_CHARACTERS));
    }

    /** {@code value is required [required]}, or what there is of it. */
    String description() {
      if (message.isEmpty()) {
        return rule;
      }
      return rule.isEmpty() ? message : message + " [" + rule + "]";
    }

    /** The id as reasons are written; empty where there is none. */
    String reason() {
      String reason = rule.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
      return reason.length() <= MOST_REASON_CHARACTERS ? reason : "";
    }

    String line() {
      return field.isEmpty() ? description() : field + ": " + description();
    }

    int sizeBytes() {
      return bytes(field) + bytes(description()) + bytes(reason());
    }
  }

  /** At least one violation. */
  static StatusException of(List<Violation> violations, int maxViolations) {
    List<Fault> faults = violations.stream().limit(maxViolations).map(Fault::of).toList();
    Status status =
        Status.INVALID_ARGUMENT.withDescription(
            "the request breaks " + rules(violations.size()) + described(faults.getFirst()));
    return DetailedStatus.of(status, details -> addFaults(faults, details)).asException();
  }

  private static String rules(int count) {
    return count == 1 ? "a rule: " : count + " rules; the first: ";
  }

  private static String described(Fault fault) {
    return shortened(fault.line(), MOST_DESCRIBED_CHARACTERS);
  }

  private static void addFaults(List<Fault> faults, Details details) {
    int roomBytes = MOST_BYTES;
    for (Fault fault : faults) {
      roomBytes -= fault.sizeBytes();
      if (roomBytes < 0) {
        return;
      }
      details.violatedField(fault.field(), fault.description(), fault.reason());
    }
  }

  /** {@code books[0].titles["en"].text}; empty for rules of the whole message. */
  private static String path(FieldPath path) {
    StringBuilder text = new StringBuilder();
    for (FieldPathElement element : path.getElementsList()) {
      text.append(text.isEmpty() ? "" : ".").append(element.getFieldName());
      switch (element.getSubscriptCase()) {
        case INDEX -> text.append('[').append(element.getIndex()).append(']');
        case BOOL_KEY -> text.append('[').append(element.getBoolKey()).append(']');
        case INT_KEY -> text.append('[').append(element.getIntKey()).append(']');
        case UINT_KEY ->
            text.append('[').append(Long.toUnsignedString(element.getUintKey())).append(']');
        case STRING_KEY -> text.append('[').append(quoted(element.getStringKey())).append(']');
        case SUBSCRIPT_NOT_SET -> {}
      }
    }
    return text.toString();
  }

  private static String quoted(String key) {
    return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String shortened(String text, int mostCharacters) {
    if (text.length() <= mostCharacters) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(mostCharacters - 1));
    return text.substring(0, splits ? mostCharacters - 1 : mostCharacters) + "…";
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
