package dev.gannet.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the class that holds the descriptors: {@code GreeterMethods}. */
final class MethodsFile {
  /** The constant in addition to those of the methods. */
  static final String SERVICE_NAME = "SERVICE_NAME";

  private static final String LAZY_NAME = "Lazy";

  private static final int MORE_COLUMNS = 8;

  private static final Template TYPE =
      new Template(
          """
          ${javadoc}
          ${annotations}
          public final class ${type} {
            ${members}
          }
          """);

  private static final Template NAME =
      new Template(
          """
          /** The service's full name, which the path of each call begins with. */
          public static final ${java.lang.String} SERVICE_NAME = "${service}";
          """);

  private static final Template METHOD =
      new Template(
          """
          ${javadoc}
          ${annotations}
          public static final ${descriptor}<${request}, ${response}> ${constant} =
              ${descriptor}.of(
                      ${dev.gannet.api.MethodType}.${kind},
                      SERVICE_NAME + "/${name}",
                      ${marshaller}.lazy(new Lazy<${request}>(${requestNumber})),
                      ${marshaller}.lazy(new Lazy<${response}>(${responseNumber})))${more};
          """);

  /**
   * A {@code switch} of statements: in one that gives a value the JVM's verifier would have to load
   * all classes that it names. A class and not lambdas: each of those takes longer to link.
   */
  private static final Template LAZY =
      new Template(
          """
          /** Something that is asked for when it is needed first; its class is not loaded before. */
          private record Lazy<TypeT>(int number) implements ${java.util.function.Supplier}<TypeT> {
            @${java.lang.Override}
            @${java.lang.SuppressWarnings}("unchecked")
            public TypeT get() {
              switch (number) {
                ${cases}
                default -> throw new ${java.lang.IndexOutOfBoundsException}(number);
              }
            }
          }
          """);

  private static final Template SCHEMA =
      new Template(
          """
          private static ${schema} schema(${java.lang.String} methodName) {
            ${creation}
          }
          """);

  private final Service service;
  private final ClassNames names;
  private final Options.MessageLibrary runtime;
  private final List<MessageType> messages;

  private MethodsFile(Service service, ClassNames names, Options.MessageLibrary runtime) {
    this.service = service;
    this.names = names;
    this.runtime = runtime;
    this.messages =
        service.rpcs().stream()
            .flatMap(rpc -> Stream.of(rpc.request(), rpc.response()))
            .distinct()
            .toList();
  }

  static SourceFile write(Service service, JavaPackages packages, Options.MessageLibrary runtime) {
    ClassNames names = new ClassNames(service.javaPackage(), packages, ownNames(service));
    String body = new MethodsFile(service, names, runtime).type();
    return SourceFile.of(service, service.methodsName(), names, body);
  }

  private static Set<String> ownNames(Service service) {
    return Stream.concat(
            Stream.of(SERVICE_NAME, LAZY_NAME, "TypeT", "number"),
            service.rpcs().stream().map(Rpc::constantName))
        .collect(Collectors.toSet());
  }

  private String type() {
    return TYPE.fill(
        names,
        Map.of(
            "javadoc", javadoc().render(0),
            "annotations", Annotations.ofType(service, names),
            "type", service.methodsName(),
            "members", members()));
  }

  private Javadoc javadoc() {
    String name = service.fullName();
    return Javadoc.of("", "The method descriptors of {@code " + name + "}.")
        .deprecatedIf(service.isDeprecated());
  }

  private String members() {
    List<String> members = new ArrayList<>();
    members.add(NAME.fill(names, Map.of("service", service.fullName())));
    service.rpcs().forEach(rpc -> members.add(method(rpc)));
    members.add("private " + service.methodsName() + "() {}");
    if (hasSchema() && !service.rpcs().isEmpty()) {
      members.add(schema());
    }
    if (!messages.isEmpty()) {
      members.add(lazy());
    }
    return Lines.paragraphs(members);
  }

  private String method(Rpc rpc) {
    Javadoc javadoc = Javadoc.of("", rpc.summary()).deprecatedIf(rpc.isDeprecated());
    return METHOD.fill(
        names,
        Map.ofEntries(
            Map.entry("javadoc", javadoc.render(2)),
            Map.entry("annotations", Annotations.deprecatedIf(rpc.isDeprecated(), names)),
            Map.entry("descriptor", names.of("dev.gannet.api.MethodDescriptor")),
            Map.entry("marshaller", names.of(runtime.marshaller())),
            Map.entry("request", names.of(rpc.request())),
            Map.entry("requestNumber", Integer.toString(messages.indexOf(rpc.request()))),
            Map.entry("response", names.of(rpc.response())),
            Map.entry("responseNumber", Integer.toString(messages.indexOf(rpc.response()))),
            Map.entry("constant", rpc.constantName()),
            Map.entry("kind", rpc.kind().name()),
            Map.entry("name", rpc.name()),
            Map.entry("more", more(rpc))));
  }

  /** Messages of protobuf-javalite have no descriptors. */
  private boolean hasSchema() {
    return runtime == Options.MessageLibrary.FULL;
  }

  /** Further calls on the descriptor's builder, each on its own line. */
  private String more(Rpc rpc) {
    String indent = "\n" + " ".repeat(MORE_COLUMNS);
    String idempotency = idempotency(rpc);
    String schema = hasSchema() ? ".withSchemaDescriptor(schema(\"" + rpc.name() + "\"))" : "";
    return (idempotency.isEmpty() ? "" : indent + idempotency)
        + (schema.isEmpty() ? "" : indent + schema);
  }

  private String idempotency(Rpc rpc) {
    return switch (rpc.idempotency()) {
      case IDEMPOTENCY_UNKNOWN -> "";
      case IDEMPOTENT, NO_SIDE_EFFECTS ->
          ".withIdempotency(%s.Idempotency.%s)"
              .formatted(names.of("dev.gannet.api.MethodDescriptor"), rpc.idempotency());
    };
  }

  private String schema() {
    String schema = names.of("dev.gannet.protobuf.MethodSchema");
    String type = names.of("com.google.protobuf.Descriptors.FileDescriptor");
    String file = "new Lazy<" + type + ">(" + messages.size() + ")";
    String name = '"' + service.definition().getName() + '"';
    List<String> arguments = List.of(file, name, "methodName");
    String creation = Lines.call(4, "return " + schema + ".in(", arguments, ");");
    return SCHEMA.fill(names, Map.of("schema", schema, "creation", creation));
  }

  private String lazy() {
    List<String> cases = new ArrayList<>();
    for (MessageType message : messages) {
      cases.add(lazyCase(cases.size(), names.of(message) + ".getDefaultInstance()"));
    }
    if (hasSchema()) {
      cases.add(lazyCase(cases.size(), fileClass() + ".getDescriptor()"));
    }
    return LAZY.fill(names, Map.of("cases", String.join("", cases)));
  }

  private static String lazyCase(int number, String value) {
    return "case %d -> {\n  return (TypeT) %s;\n}\n".formatted(number, value);
  }

  private String fileClass() {
    return names.of(MessageType.ofFile(service.definition().getFile()));
  }
}
