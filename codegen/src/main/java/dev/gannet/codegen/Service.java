package dev.gannet.codegen;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.GeneratorNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * One service and its names in Java.
 *
 * @param javaPackage empty for the unnamed package
 * @param comment its comment in the {@code .proto} file; blank if there is none
 */
record Service(ServiceDescriptor definition, String javaPackage, String comment, List<Rpc> rpcs) {
  /** The ending of the class with the descriptors of the methods. */
  private static final String METHODS = "Methods";

  /**
   * The service with its names.
   *
   * @throws InvalidRequestException if two rpcs have the same name in Java
   */
  static Service of(ServiceDescriptor definition, SourceComments comments) {
    List<Rpc> rpcs = new ArrayList<>();
    for (MethodDescriptor method : definition.getMethods()) {
      rpcs.add(Rpc.of(method, comments.ofMethod(definition.getIndex(), method.getIndex())));
    }
    checkDistinct(definition, rpcs, Rpc::methodName);
    checkDistinct(definition, rpcs, Rpc::constantName);
    return new Service(
        definition,
        GeneratorNames.getFileJavaPackage(definition.getFile()),
        comments.ofService(definition.getIndex()),
        List.copyOf(rpcs));
  }

  /** The names of all classes that are generated for a service. */
  static List<String> classNames(ServiceDescriptor definition, Set<Style> styles) {
    List<String> names = new ArrayList<>();
    for (Shape shape : Shape.values()) {
      if (styles.contains(shape.style())) {
        names.add(className(definition, shape.ending()));
      }
    }
    names.add(className(definition, METHODS));
    return names;
  }

  String fullName() {
    return definition.getFullName();
  }

  /** The class with that name, or, with an ending, a related class. */
  String className(String ending) {
    return className(definition, ending);
  }

  String methodsName() {
    return className(METHODS);
  }

  boolean isDeprecated() {
    return definition.getOptions().getDeprecated();
  }

  /** Whether its code uses classes or constants that are deprecated in Java. */
  boolean usesDeprecated() {
    return rpcs.stream().anyMatch(rpc -> rpc.isDeprecated() || rpc.usesDeprecated());
  }

  private static String className(ServiceDescriptor definition, String ending) {
    String name = definition.getName();
    return ending.isEmpty() ? JavaNames.type(name) : name + ending;
  }

  private static void checkDistinct(
      ServiceDescriptor service, List<Rpc> rpcs, Function<Rpc, String> javaName) {
    Map<String, Rpc> owners = new HashMap<>();
    for (Rpc rpc : rpcs) {
      Rpc other = owners.putIfAbsent(javaName.apply(rpc), rpc);
      if (other != null) {
        throw new InvalidRequestException(
            SourcePlace.of(rpc.definition())
                + "The methods %s and %s of the service %s would both be called %s in Java."
                    .formatted(
                        other.name(), rpc.name(), service.getFullName(), javaName.apply(rpc)));
      }
    }
  }
}
