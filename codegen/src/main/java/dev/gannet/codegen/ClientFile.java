package dev.gannet.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes an interface that callers use: {@code GreeterClient} or one of another style. */
final class ClientFile {
  private static final Template TYPE =
      new Template(
          """
          ${javadoc}
          ${annotations}
          public interface ${type} extends ${parent}<${type}> {
            ${members}
          }
          """);

  private static final Template FACTORY =
      new Template(
          """
          /** The client that makes its calls over the given channel, with no options. */
          static ${type} of(${dev.gannet.api.Channel} channel) {
            ${record}
              @${java.lang.Override}
              ${with}
                return new ${calls}(channel, options);
              }
            }
            return new ${calls}(channel, ${dev.gannet.api.CallOptions}.DEFAULT);
          }
          """);

  private static final Template WITH =
      new Template(
          """
          /** This client itself, as that of a fake. */
          @${java.lang.Override}
          ${with}
            return this;
          }
          """);

  private static final Template METHOD =
      new Template(
          """
          ${javadoc}
          ${annotations}
          ${signature}
            ${call}
          }
          """);

  private final Service service;
  private final ClassNames names;
  private final Shape shape;
  private final String type;

  private ClientFile(Service service, ClassNames names, Shape shape) {
    this.service = service;
    this.names = names;
    this.shape = shape;
    this.type = service.className(shape.ending());
  }

  static SourceFile write(Service service, JavaPackages packages, Shape shape) {
    ClassNames names = new ClassNames(service.javaPackage(), packages);
    ClientFile file = new ClientFile(service, names, shape);
    return SourceFile.of(service, file.type, names, file.text());
  }

  private String text() {
    return TYPE.fill(
        names,
        Map.of(
            "javadoc", javadoc().render(0),
            "annotations", Annotations.ofType(service, names),
            "type", type,
            "parent", names.of(shape.parent()),
            "members", members()));
  }

  private String members() {
    List<String> members = new ArrayList<>();
    members.add(factory());
    members.add(WITH.fill(names, Map.of("with", with("default", 2))));
    service.rpcs().forEach(rpc -> members.add(method(rpc)));
    return Lines.paragraphs(members);
  }

  private String factory() {
    String calls = type.substring(0, type.length() - "Client".length()) + "Calls";
    return FACTORY.fill(
        names,
        Map.of(
            "type",
            type,
            "calls",
            calls,
            "record",
            Lines.call(4, "record " + calls + "(", settings(), ") implements " + type + " {"),
            "with",
            with("public", 6)));
  }

  private String with(String modifier, int indentColumns) {
    return Lines.call(indentColumns, modifier + " " + type + " with(", settings(), ") {");
  }

  private List<String> settings() {
    return List.of(
        names.of("dev.gannet.api.Channel") + " channel",
        names.of("dev.gannet.api.CallOptions") + " options");
  }

  private Javadoc javadoc() {
    return Javadoc.of(service.comment(), "The service {@code " + service.fullName() + "}.")
        .paragraph(shape.about())
        .deprecatedIf(service.isDeprecated());
  }

  private String method(Rpc rpc) {
    return METHOD.fill(
        names,
        Map.of(
            "javadoc",
                Javadoc.of(rpc.comment(), rpc.summary()).deprecatedIf(rpc.isDeprecated()).render(2),
            "annotations", Annotations.deprecatedIf(rpc.isDeprecated(), names),
            "signature", signature(rpc),
            "call", call(rpc)));
  }

  private String signature(Rpc rpc) {
    return Lines.call(
        2,
        "default " + shape.returned(rpc, names) + " " + rpc.methodName() + "(",
        shape.parameters(rpc, names),
        ") {");
  }

  private String call(Rpc rpc) {
    List<String> arguments = new ArrayList<>();
    arguments.add("channel()");
    arguments.add(service.methodsName() + "." + rpc.constantName());
    arguments.add("options()");
    for (String parameter : shape.parameters(rpc, names)) {
      arguments.add(parameter.substring(parameter.lastIndexOf(' ') + 1));
    }
    String function = names.of(shape.functions()) + "." + rpc.kind().function();
    boolean silent = shape.returned(rpc, names).equals("void");
    return Lines.call(4, (silent ? "" : "return ") + function + "(", arguments, ");");
  }
}
