package dev.gannet.codegen;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/** Converts names of a {@code .proto} file to Java. */
final class JavaNames {
  /** Methods that generated interfaces inherit or declare in addition to their rpcs. */
  private static final Set<String> TAKEN_METHODS =
      Set.of(
          "bindService",
          "channel",
          "clone",
          "equals",
          "finalize",
          "getClass",
          "hashCode",
          "notify",
          "notifyAll",
          "of",
          "options",
          "response",
          "toString",
          "wait");

  /**
   * The names of the methods that return a client with other options, today's and those of later
   * releases: an rpc whose Java method had to be renamed later would break its callers, and a
   * service that implements it would answer {@code UNIMPLEMENTED}.
   */
  private static final Pattern WITH = Pattern.compile("with(out)?([A-Z].*)?");

  /** Words that must not be type names although they are not keywords; JLS 3.9. */
  private static final Set<String> FORBIDDEN_TYPES =
      Set.of("permits", "record", "sealed", "var", "yield");

  private static final Pattern WORD_BOUNDARY =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private JavaNames() {}

  /** The Java method of an rpc: in camel case, followed by an underscore if the name is taken. */
  static String method(String rpc) {
    String name = identifier(camelCase(rpc));
    boolean taken = TAKEN_METHODS.contains(name) || WITH.matcher(name).matches() || isKeyword(name);
    return taken ? name + "_" : name;
  }

  /** The constant of an rpc's descriptor: {@code GET_HTTP_STATUS} for {@code GetHTTPStatus}. */
  static String constant(String rpc) {
    String name = WORD_BOUNDARY.matcher(rpc).replaceAll("_").toUpperCase(Locale.ROOT);
    boolean taken = name.equals(MethodsFile.SERVICE_NAME) || isKeyword(name);
    return taken ? name + "_" : name;
  }

  /** The Java interface of a service. */
  static String type(String service) {
    boolean forbidden = FORBIDDEN_TYPES.contains(service) || isKeyword(service);
    return forbidden ? service + "_" : service;
  }

  /** As protobuf-java does it: a letter after an underscore or a digit becomes upper case. */
  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder(name.length());
    boolean upper = false;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '_') {
        upper = true;
      } else if (i == 0) {
        camel.append(Character.toLowerCase(c));
      } else {
        camel.append(upper ? Character.toUpperCase(c) : c);
        upper = Character.isDigit(c);
      }
    }
    return camel.toString();
  }

  private static String identifier(String name) {
    boolean begins = !name.isEmpty() && Character.isJavaIdentifierStart(name.charAt(0));
    return begins ? name : "_" + name;
  }

  private static boolean isKeyword(String name) {
    return SourceVersion.isKeyword(name, SourceVersion.RELEASE_21);
  }
}
