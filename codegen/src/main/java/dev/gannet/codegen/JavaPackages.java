package dev.gannet.codegen;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.GeneratorNames;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which class names are used in which Java package, as far as the request shows. */
final class JavaPackages {
  private final Map<String, Map<String, String>> owners = new HashMap<>();
  private final Map<String, Set<String>> serviceClasses = new HashMap<>();

  private final Set<Style> styles;

  private JavaPackages(Set<Style> styles) {
    this.styles = styles;
  }

  static JavaPackages of(Collection<FileDescriptor> files, Set<Style> styles) {
    JavaPackages packages = new JavaPackages(styles);
    files.forEach(packages::add);
    return packages;
  }

  /** Whether that package has a class by that name. */
  boolean contains(String packageName, String className) {
    return owners.getOrDefault(packageName, Map.of()).containsKey(className)
        || serviceClasses.getOrDefault(packageName, Set.of()).contains(className);
  }

  /**
   * Adds the names of the classes generated for the service.
   *
   * @throws InvalidRequestException if another class has one of them
   */
  void claim(Service service) {
    for (String name : Service.classNames(service.definition(), styles)) {
      String claimant = "the service " + service.fullName();
      String owner = add(service.javaPackage(), name, claimant);
      if (!owner.equals(claimant)) {
        throw new InvalidRequestException(
            SourcePlace.of(service.definition())
                + """
                The Java class %s would be generated twice, for %s and for %s; \
                rename one, give it another java_package, or leave out its style \
                with the option "styles".\
                """
                    .formatted(qualified(service.javaPackage(), name), owner, claimant));
      }
    }
  }

  private void add(FileDescriptor file) {
    String packageName = GeneratorNames.getFileJavaPackage(file);
    add(packageName, GeneratorNames.getFileClassName(file), "the file " + file.getName());
    for (Descriptor message : file.getMessageTypes()) {
      if (!GeneratorNames.getNestInFileClass(message)) {
        String owner = "the message " + message.getFullName();
        add(packageName, message.getName(), owner);
        add(packageName, message.getName() + "OrBuilder", owner);
      }
    }
    for (EnumDescriptor type : file.getEnumTypes()) {
      if (!GeneratorNames.getNestInFileClass(type)) {
        add(packageName, type.getName(), "the enum " + type.getFullName());
      }
    }
    for (ServiceDescriptor service : file.getServices()) {
      if (file.getOptions().getJavaGenericServices() && file.getOptions().getJavaMultipleFiles()) {
        add(packageName, service.getName(), "the generic service " + service.getFullName());
      }
      serviceClasses
          .computeIfAbsent(packageName, name -> new HashSet<>())
          .addAll(Service.classNames(service, styles));
    }
  }

  /** The owner of the name now: the given one, or the one that came first. */
  private String add(String packageName, String className, String owner) {
    Map<String, String> classes = owners.computeIfAbsent(packageName, name -> new HashMap<>());
    String first = classes.putIfAbsent(className, owner);
    return first == null ? owner : first;
  }

  private static String qualified(String packageName, String className) {
    return packageName.isEmpty() ? className : packageName + "." + className;
  }
}
