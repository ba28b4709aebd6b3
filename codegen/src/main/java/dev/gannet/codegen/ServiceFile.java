package dev.gannet.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes an interface that servers implement: {@code Greeter} or one of another style. */
final class ServiceFile {
  private static final Template TYPE =
      new Template(
          """
          ${javadoc}
          ${annotations}
          public interface ${type} extends ${parent} {
            ${members}
          }
          """);

  private static final Template BINDING =
      new Template(
          """
          /** This service with this object's methods as its handlers. */
          @${java.lang.Override}
          default ${dev.gannet.api.ServerServiceDefinition} bindService() {
            return ${dev.gannet.api.ServerServiceDefinition}.of(
                ${methodsType}.SERVICE_NAME,
                ${definitions}
          }
          """);

  private static final Template METHOD =
      new Template(
          """
          ${javadoc}
          ${annotations}
          ${signature}
            throw ${dev.gannet.api.StatusException}.unimplemented(${methodsType}.${constant});
          }
          """);

  private static final Template DEFINITION =
      new Template(
          """
          ${dev.gannet.api.ServerMethodDefinition}.of(
              ${methodsType}.${constant}, ${handler}(this::${method}))
          """);

  private final Service service;
  private final ClassNames names;
  private final Shape shape;

  private ServiceFile(Service service, ClassNames names, Shape shape) {
    this.service = service;
    this.names = names;
    this.shape = shape;
  }

  static SourceFile write(Service service, JavaPackages packages, Shape shape) {
    ClassNames names = new ClassNames(service.javaPackage(), packages);
    String body = new ServiceFile(service, names, shape).type();
    return SourceFile.of(service, service.className(shape.ending()), names, body);
  }

  private String type() {
    return TYPE.fill(
        names,
        Map.of(
            "javadoc", javadoc().render(0),
            "annotations", Annotations.ofType(service, names),
            "type", service.className(shape.ending()),
            "parent", names.of(shape.parent()),
            "members", members()));
  }

  private String members() {
    List<String> members = new ArrayList<>(service.rpcs().stream().map(this::method).toList());
    members.add(
        BINDING.fill(
            names, Map.of("methodsType", service.methodsName(), "definitions", definitions())));
    return Lines.paragraphs(members);
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
            "methodsType", service.methodsName(),
            "constant", rpc.constantName()));
  }

  private String signature(Rpc rpc) {
    return Lines.call(
        2,
        "default " + shape.returned(rpc, names) + " " + rpc.methodName() + "(",
        shape.parameters(rpc, names),
        ") throws " + names.of("java.lang.Exception") + " {");
  }

  private String definitions() {
    String list = names.of("java.util.List");
    if (service.rpcs().isEmpty()) {
      return list + ".of());";
    }
    String indent = "\n    ";
    List<String> each = service.rpcs().stream().map(this::definition).toList();
    // With its type: a compiler that must infer the type for many definitions is slow.
    String type = "<" + names.of("dev.gannet.api.ServerMethodDefinition") + "<?, ?>>";
    return list
        + "."
        + type
        + "of("
        + indent
        + String.join(",\n", each).replace("\n", indent)
        + "));";
  }

  private String definition(Rpc rpc) {
    return DEFINITION
        .fill(
            names,
            Map.of(
                "methodsType", service.methodsName(),
                "constant", rpc.constantName(),
                "handler", names.of(shape.functions()) + "." + rpc.kind().function(),
                "method", rpc.methodName()))
        .stripTrailing();
  }
}
